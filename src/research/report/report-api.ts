import { applyDecorators } from '@nestjs/common';
import {
  ApiConflictResponse,
  ApiExtraModels,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiResponse,
  ApiUnprocessableEntityResponse,
  getSchemaPath,
} from '@nestjs/swagger';
import { FORMATS, MEDIA_TYPES } from '../../report/formats';
import { ReportDto } from './report.dto';

const FILE = { schema: { type: 'string', format: 'binary' } };

/** What the route of reports documents. */
export const ApiReport = (): MethodDecorator =>
  applyDecorators(
    ApiExtraModels(ReportDto),
    ApiOperation({
      operationId: 'Invocation_report',
      summary: 'The report as a file, with numbered citations',
    }),
    ApiOkResponse({
      description: 'Each format has the same citations, by the same numbers.',
      content: {
        ...Object.fromEntries(
          FORMATS.map((format) => [MEDIA_TYPES[format], FILE]),
        ),
        [MEDIA_TYPES.json]: { schema: { $ref: getSchemaPath(ReportDto) } },
      },
    }),
    ApiResponse({
      status: 304,
      description: 'It is as `If-None-Match` has it.',
    }),
    ApiNotFoundResponse({
      description:
        '`report_not_found`: it ended without a report, or is no research.',
    }),
    ApiConflictResponse({ description: 'It has not ended.' }),
    ApiUnprocessableEntityResponse({
      description: 'There is no such format, or `report_too_large`.',
    }),
  );
