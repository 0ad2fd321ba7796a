import { createParamDecorator, type ExecutionContext } from '@nestjs/common';

/** Who sent a request. No name: anonymous, or only an invocation token to show. */
export interface CallerIdentity {
  name?: string;
}

export interface RequestWithCaller {
  caller?: CallerIdentity;
}

/** The caller as the API key guard found it: `@Caller() caller: CallerIdentity`, imported as a type. */
export const Caller = createParamDecorator(
  (_: unknown, context: ExecutionContext): CallerIdentity =>
    context.switchToHttp().getRequest<RequestWithCaller>().caller ?? {},
);
