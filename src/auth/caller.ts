import { createParamDecorator, type ExecutionContext } from '@nestjs/common';

/** The sender of a request. Without a name: anonymous, or authorised by an invocation token only. */
export interface CallerIdentity {
  name?: string;
}

export interface RequestWithCaller {
  caller?: CallerIdentity;
}

/** The caller that the API key guard identified: `@Caller() caller: CallerIdentity`, imported as a type. */
export const Caller = createParamDecorator(
  (_: unknown, context: ExecutionContext): CallerIdentity =>
    context.switchToHttp().getRequest<RequestWithCaller>().caller ?? {},
);
