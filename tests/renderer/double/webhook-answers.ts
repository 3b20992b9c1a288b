import { Failed } from '../../../electron/contract/failure.ts'
import type { Answers } from '../../../electron/contract/wire.ts'

const not = async (): Promise<never> => {
  throw new Failed({ kind: 'invalid', field: 'text', message: 'not read' })
}

export function webhookAnswers(): Pick<Answers, 'webhooks'> {
  return { webhooks: { read: not, validate: not, check: not } }
}
