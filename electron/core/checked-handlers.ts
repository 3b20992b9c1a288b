import type { AllHandlers, MethodName } from '../contract/rpc-client.ts'

/** The same handlers, each after a check that may reject with Failed. */
export const checkedHandlers = (
  handlers: AllHandlers,
  check: (name: MethodName, argument: unknown) => void | Promise<void>,
): AllHandlers =>
  Object.fromEntries(
    Object.entries(handlers).map(([feature, own]) => [
      feature,
      Object.fromEntries(
        Object.entries(own as Record<string, (argument: unknown) => Promise<unknown>>).map(
          ([key, handle]) => [
            key,
            async (argument: unknown) => {
              await check(`${feature}.${key}` as MethodName, argument)
              return handle(argument)
            },
          ],
        ),
      ),
    ]),
  ) as unknown as AllHandlers
