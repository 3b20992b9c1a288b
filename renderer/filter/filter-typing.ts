import { computed, nextTick, onBeforeUnmount, ref, shallowRef, watch, type Ref } from 'vue'
import { parseFilter } from '../../electron/contract/filter/filter-reader.ts'
import type { FilterProblem, FilterVocabulary } from '../../electron/contract/filter/filter.ts'
import { finished, isUnfinished, piecesOf, readable, textOfPieces, type Chip } from './filter-pieces.ts'
import { throttle } from '../components/throttle.ts'
import { tokenAt } from './filter-token.ts'

/**
 * The first keystroke is applied at once, further ones within a frame together: a list has only one query in
 * flight (lists/use-list.ts).
 */
const HEARD_EVERY_IN_MS = 16

/** The state of a filter while typing: chips, draft, caret, and the part that the list already uses. */
export function filterTyping(given: {
  readonly model: Ref<string>
  readonly vocabulary: () => FilterVocabulary
  readonly input: () => HTMLInputElement | null
  readonly onProblems: (problems: readonly FilterProblem[]) => void
}) {
  const { model } = given
  const begin = piecesOf(model.value, given.vocabulary())
  const chips = shallowRef<readonly Chip[]>(begin.chips)
  const draft = ref(begin.draft)
  /** null: the caret is elsewhere, so no term is half typed. */
  const caret = ref<number | null>(null)
  /** The chip on which Backspace, Delete or Enter acts; -1: none. */
  const chosen = ref(-1)

  const text = computed(() => textOfPieces({ chips: chips.value, draft: draft.value }))
  const problems = computed<readonly FilterProblem[]>(() => {
    const own = parseFilter(draft.value, given.vocabulary()).problems
    const whole = own.length > 0 ? [] : parseFilter(text.value, given.vocabulary()).problems
    return [...own, ...whole.map((one) => ({ ...one, start: 0, end: draft.value.length }))]
  })
  const unfinished = computed(
    () =>
      problems.value.length === 1 &&
      problems.value.some((one) => isUnfinished(one, draft.value, caret.value)),
  )
  /** The errors to show; half-typed text is no error. */
  const errors = computed(() => (unfinished.value ? [] : problems.value))
  const token = computed(() => tokenAt(draft.value, caret.value ?? draft.value.length, given.vocabulary()))

  let said = model.value
  /** The valid part is emitted at once; invalid or unfinished text is ignored. */
  function flush(): void {
    heard.stop()
    hear()
  }
  function hear(): void {
    given.onProblems(errors.value)
    said =
      problems.value.length === 0
        ? text.value
        : readable({ chips: chips.value, draft: draft.value }, given.vocabulary())
    if (said !== model.value) model.value = said
  }
  const heard = throttle(hear, HEARD_EVERY_IN_MS)
  const soon = heard.call
  // The text goes with the box, and so do its errors.
  onBeforeUnmount(() => {
    heard.stop()
    given.onProblems([])
  })

  function load(now: string): void {
    heard.stop()
    said = now
    const pieces = piecesOf(now, given.vocabulary())
    chips.value = pieces.chips
    draft.value = pieces.draft
    chosen.value = -1
    given.onProblems(errors.value)
  }
  // A filter from elsewhere (a column, a saved view, the address) replaces the current one.
  watch(model, (now) => {
    if (now !== said) load(now)
  })

  /** Sets text and caret of the box as if they were typed. */
  function put(next: string, at: number): void {
    draft.value = next
    caret.value = at
    const input = given.input()
    if (!input) return
    input.value = next
    input.setSelectionRange(at, at)
    void nextTick(() => input.setSelectionRange(at, at))
  }
  /** The same term twice says nothing more. */
  function add(found: readonly Chip[]): void {
    const isNew = ({ text: typed }: Chip, at: number, all: readonly Chip[]): boolean =>
      all.findIndex(({ text: other }) => other === typed) === at
    chips.value = [...chips.value, ...found].filter(isNew)
  }
  /** Sets the current draft of the box. `whole`: it was pasted, so every term in it is finished. */
  function type(next: string, at: number, whole: boolean): void {
    chosen.value = -1
    const left = whole
      ? { ...piecesOf(next, given.vocabulary()), caret: Infinity }
      : finished(next, at, given.vocabulary())
    if (left.chips.length === 0) {
      draft.value = next
      caret.value = at
    } else {
      add(left.chips)
      put(left.draft, Math.min(left.caret, left.draft.length))
    }
    soon()
  }
  /** Makes chips of all valid terms, and updates the list at once. */
  function settle(): void {
    const pieces = piecesOf(draft.value, given.vocabulary())
    if (pieces.chips.length > 0) {
      add(pieces.chips)
      put(pieces.draft, pieces.draft.length)
    }
    flush()
  }
  function remove(index: number): void {
    chips.value = chips.value.filter((_chip, at) => at !== index)
    chosen.value = -1
    flush()
  }
  /** Turns a chip back into text, before the typed text. */
  function edit(index: number): void {
    const chip = chips.value[index]
    if (!chip) return
    const pieces = piecesOf(draft.value, given.vocabulary())
    chips.value = [...chips.value.filter((_chip, at) => at !== index), ...pieces.chips]
    chosen.value = -1
    put(`${chip.text}${pieces.draft === '' ? '' : ` ${pieces.draft}`}`, chip.text.length)
  }
  function clear(): void {
    chips.value = []
    put('', 0)
    chosen.value = -1
    flush()
  }
  return {
    chips,
    draft,
    caret,
    chosen,
    text,
    errors,
    token,
    load,
    put,
    type,
    settle,
    soon,
    flush,
    remove,
    edit,
    clear,
  }
}
