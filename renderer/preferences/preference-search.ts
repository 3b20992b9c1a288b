import {
  computed,
  inject,
  onScopeDispose,
  provide,
  shallowReactive,
  useId,
  watchEffect,
  type ComputedRef,
  type InjectionKey,
  type Ref,
} from 'vue'
import { folded } from '../../electron/contract/filter/folded.ts'

/** The typed text to find a preference, and the sections that contain it. */
interface Search {
  readonly holds: (text: string) => boolean
  readonly sections: Set<string>
}
/** The lines of a section, by id: what each is found by. */
interface Section {
  readonly lines: Map<string, string>
  readonly isFound: (line: string) => boolean
}
const searchKey: InjectionKey<Search> = Symbol('search of preferences')
const sectionKey: InjectionKey<Section> = Symbol('section of preferences')

/** For the page: the names of the sections that are found. */
export function usePreferenceSearch(sought: Ref<string>): ReadonlySet<string> {
  const words = computed(() => folded(sought.value).split(/\s+/))
  const holds = (text: string): boolean => words.value.every((word) => folded(text).includes(word))
  const sections = shallowReactive(new Set<string>())
  provide(searchKey, { holds, sections })
  return sections
}

/**
 * Whether a section is found: by its title, then all of it is shown; by lines, then only these are shown
 * (`onlyLines`); else by `alsoFoundBy`, then all of it is shown.
 */
export function useSectionSearch(
  name: string,
  title: () => string,
  alsoFoundBy: () => string,
): { readonly isFound: ComputedRef<boolean>; readonly onlyLines: ComputedRef<boolean> } {
  const { holds, sections } = inject(searchKey, { holds: () => true, sections: new Set<string>() })
  const lines = shallowReactive(new Map<string, string>())
  const found = computed(() =>
    holds(title()) ? [] : [...lines].flatMap(([id, line]) => (holds(`${title()} ${line}`) ? id : [])),
  )
  const onlyLines = computed(() => found.value.length > 0)
  const isFound = computed(() => onlyLines.value || holds(`${title()} ${alsoFoundBy()}`))
  provide(sectionKey, { lines, isFound: (line) => !onlyLines.value || found.value.includes(line) })
  watchEffect(() => void (isFound.value ? sections.add(name) : sections.delete(name)))
  onScopeDispose(() => sections.delete(name))
  return { isFound, onlyLines }
}

/** Whether a line is shown. */
export function useLineSearch(foundBy: () => string): ComputedRef<boolean> {
  const id = useId()
  const section = inject(sectionKey, { lines: new Map<string, string>(), isFound: () => true })
  watchEffect(() => void section.lines.set(id, foundBy()))
  onScopeDispose(() => section.lines.delete(id))
  return computed(() => section.isFound(id))
}
