import type {
  WebhookCheck,
  ParsedWebhook,
  WebhookRefusal,
  WebhookValidation,
} from '../../contract/api/webhooks.ts'
import { flag, show, text, readText, type Command, type LoneCommand } from '../command.ts'
import { UsageError } from '../grammar.ts'
import { moment, table, type Line } from '../table.ts'

export const checkWebhookCommand: LoneCommand = {
  name: 'webhook check',
  operands: ['FILE|-'],
  options: {
    schema: { type: 'string', help: 'the schema file downloaded from the portal' },
    read: {
      type: 'boolean',
      help: 'shows its events in order of time, or its validation event with the time left',
    },
  },
  summary: 'checks a payload against the schema file from the portal, or shows what it contains (--read)',
  runAlone: async (given, terminal, { clock, schemas }) => {
    const file = text(given, 'schema')
    if (flag(given, 'read') ? file !== null : file === null || file === '-')
      throw new UsageError('webhook check needs either --schema FILE or --read.')
    const schema = file === null ? '' : await readText(file, terminal)
    const payload = await readText(given.operands[0] ?? '-', terminal)
    const { checkInTime, readPayload } = await import('../own-core.ts')
    if (file === null) {
      const reading = readPayload(payload, clock)
      show(given, terminal, reading, () => reading.problem ?? readingText(reading, clock.now()))
      return reading.problem === null ? 0 : 3
    }
    const check = await checkInTime({ schema, payload }, { clock, schemas })
    show(given, terminal, check, () => checkText(check))
    return check.fits ? 0 : 3
  },
}

export const webhookCommands: readonly Command[] = [
  {
    name: 'webhook validate',
    operands: ['FILE|-'],
    options: {
      yes: {
        type: 'boolean',
        help: 'calls the validation address of the event once, without the subscription key',
      },
    },
    summary: 'validates a webhook with the validation event that its receiver got',
    run: async (core, given, terminal) => {
      const payload = await readText(given.operands[0] ?? '-', terminal)
      const { validation } = await core.handlers.webhooks.read({ text: payload })
      if (validation?.host != null && !flag(given, 'yes'))
        throw new UsageError(`webhook validate sends one request to ${validation.host}: add --yes.`)
      const ended = await core.handlers.webhooks.validate({ text: payload })
      show(given, terminal, ended, () => endedText(ended))
      return ended.outcome === 'validated' ? 0 : 3
    },
  },
]

const refusals: Readonly<Record<WebhookRefusal, string>> = {
  'not-an-address': 'the validationUrl is not a valid address',
  'not-https': 'only https addresses are allowed',
  'with-credentials': 'the address contains a user name or password',
  'not-public': 'the address points to a private network or to this computer',
  'name-not-found': 'the host cannot be found',
}

function readingText({ form, validation, events, leftOut }: ParsedWebhook, now: number): Line[] {
  const lines = events.map((event) => [
    moment(event.at),
    event.type,
    event.subject ?? event.id ?? event.place,
  ])
  const seconds = validation === null ? 0 : Math.max(0, Math.ceil((validation.until - now) / 1000))
  const left =
    seconds === 0
      ? 'the ten minutes have passed'
      : `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')} left`
  return [
    ...(validation === null
      ? [`No validation event (${form ?? ''}).`]
      : [
          `A validation event (${form ?? ''}), address at ${validation.place}.`,
          validation.refused === null
            ? `Validation by ${validation.host ?? ''}, ${left}.`
            : `Not to be contacted: ${refusals[validation.refused]}.`,
        ]),
    ...table(['Time', 'Type', 'Subject'], lines),
    ...(leftOut > 0 ? [`${leftOut} more not listed.`] : []),
  ]
}

function endedText({ host, outcome, status, refused, message, address }: WebhookValidation): string {
  const said = message === null ? '' : ` Its answer: ${message}`
  switch (outcome) {
    case 'validated':
      return `${host} (${address ?? ''}) accepted the validation: the webhook should be active now.${said}`
    case 'refused':
      return `${host} (${address ?? ''}) answered ${status ?? ''}: not validated.${said}`
    case 'redirected':
      return `${host} redirects to ${message ?? 'another address'}: redirects are not followed, so nothing was validated.`
    case 'no-answer':
      return `${host} did not answer: ${message ?? ''}. Check the webhook in the portal before you try again.`
    case 'not-asked':
      return `Nothing was sent: ${refusals[refused ?? 'not-an-address']}.${message === null ? '' : ` ${message}`}`
  }
}

function checkText({ fits, checked, problems, leftOut, notChecked, unusable }: WebhookCheck): Line[] {
  if (unusable !== null) return [`The ${unusable.of} cannot be used: ${unusable.message}`]
  const head = fits
    ? [`The payload fits the schema${checked === 'each-event' ? ', event by event' : ''}.`]
    : table(
        ['Place', 'Problem'],
        problems.map(({ place, message }) => [place, message]),
      )
  return [
    ...head,
    ...(leftOut > 0 ? [`${leftOut} more not shown.`] : []),
    ...notChecked.map((place) => `Not checked: ${place}`),
  ]
}
