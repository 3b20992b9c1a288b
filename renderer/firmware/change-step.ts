import { failureText } from '../failures/failure-text.ts'
import { text } from '../locales/i18n.ts'
import type { Step } from '../lists/grid-cells.ts'
import { changeSentence, changeTexts, ofThose } from '../settings/difference-lines.ts'
import type { useVersionChanges, VersionPair } from '../settings/version-changes-store.ts'

const nothing: Step = { words: null, beside: null, title: '' }

/**
 * What a version changes for the devices on another one, in a row. `pair` null: there is nothing to compare,
 * which is a dash. Comparisons are asked for in turn: a row that waits for its own says so.
 */
export function changeStep(
  pair: VersionPair | null,
  changes: Pick<ReturnType<typeof useVersionChanges>, 'of'>,
): Step {
  const answer = pair && changes.of(pair)
  if (pair === null) return nothing
  if (answer === null) return { words: '…', beside: null, title: text('firmware.releases.waiting') }
  const found = answer.value.value && ofThose(answer.value.value)
  if (found !== null) {
    const { settings, atRisk } = changeTexts(found)
    const title = changeSentence(found)
    return atRisk === null
      ? { words: settings, beside: null, title }
      : { words: `${settings},`, beside: atRisk, title }
  }
  const failure = answer.failure.value
  return failure === null
    ? {
        words: text('firmware.releases.comparing'),
        beside: null,
        title: text('settings.differences.loading'),
      }
    : {
        words: text('settings.differences.row.nothingCompared'),
        beside: null,
        title: failureText(failure).sentence,
      }
}
