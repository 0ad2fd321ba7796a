import { isObject } from '../../wire/json';
import { instanceOf } from '../../writer/function-calls/schema-instance';
import { faultsIn, reportIn } from '../role-inputs';
import type { RoleRequest } from '../role.types';

/** The schema of the caller, filled with sentences of the report and with the numbers in them. */
export function object({ data, schema }: RoleRequest): unknown {
  const sentences = reportIn(data);
  const numbers = sentences.join(' ').match(/(?<![\d.,])\d{1,9}(?![\d.,]\d)/g);
  let used = 0;
  let counted = 0;
  return instanceOf(isObject(schema) ? schema : {}, {
    text: () => sentences[used++ % Math.max(1, sentences.length)] ?? '',
    number: () => {
      const next = numbers?.[counted++ % numbers.length];
      return next === undefined ? undefined : Number(next);
    },
    spare: faultsIn(data).length > 0,
  });
}
