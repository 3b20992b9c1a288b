import type { DefinitionItem } from '../../electron/contract/api/definitions.ts'
import { words } from '../lists/grid-cells.ts'
import type { GridColumn } from '../lists/grid-columns.ts'
import { columnsOf } from '../lists/list-columns.ts'
import { text } from '../locales/i18n.ts'
import { typeWords } from '../settings/difference-lines.ts'
import { anyOf, limitsInCell, limitsOf, restartWord } from '../settings/property-text.ts'
import { valueWords } from '../settings/setting-text.ts'
import { restarts } from './definition-columns.ts'

export type ItemColumn =
  | 'label'
  | 'name'
  | 'group'
  | 'type'
  | 'allowed'
  | 'unit'
  | 'default'
  | 'access'
  | 'restarts'

const typeOf = ({ type, allowed }: DefinitionItem): string | null => type && typeWords(type, allowed)
/** `word`: how an allowed value is said. */
const limits = (
  item: DefinitionItem,
  word: (value: string) => string,
  limited: typeof limitsOf = limitsOf,
): string | null => {
  const { value } = item.members
  return (
    limited({ ...item, allowed: item.allowed.map((one) => word(String(one))) }) ??
    (value === undefined ? (item.type === null ? null : anyOf(item.type)) : JSON.stringify(value))
  )
}
const allowedOf = (item: DefinitionItem): string | null => limits(item, valueWords)
const accessOf = ({ access }: DefinitionItem): string | null =>
  access.map((one) => text(`definitions.properties.${one}`)).join(', ') || null
const defaultOf = (item: DefinitionItem): string | null =>
  item.default === null
    ? null
    : typeof item.default === 'string'
      ? item.allowed.includes(item.default)
        ? valueWords(item.default)
        : item.default
      : JSON.stringify(item.default)
const column = columnsOf<DefinitionItem, ItemColumn>('definitions.items')

export const itemColumns = (): readonly GridColumn<DefinitionItem, ItemColumn>[] => [
  column(
    'label',
    180,
    1,
    words((row) => row.label, { title: (row) => row.label }),
    { grow: 3, look: 'strong' },
  ),
  column(
    'name',
    180,
    3,
    words((row) => row.name, { title: (row) => row.name }),
    { grow: 3, look: 'mono dim' },
  ),
  column(
    'group',
    100,
    8,
    words((row) => row.group),
    { look: 'dim' },
  ),
  column('type', 104, 4, words(typeOf, { title: (row) => row.type }), { look: 'dim' }),
  column(
    'allowed',
    160,
    2,
    words((row) => limits(row, valueWords, limitsInCell), {
      title: (row) => row.allowed.join(', ') || limits(row, String),
      isQuiet: (row) => row.type !== null && allowedOf(row) === anyOf(row.type),
    }),
    { grow: 3 },
  ),
  column(
    'unit',
    64,
    9,
    words((row) => row.unit),
    { look: 'dim' },
  ),
  column(
    'default',
    90,
    7,
    words(defaultOf, { title: (row) => (typeof row.default === 'string' ? row.default : null) }),
  ),
  column('access', 120, 5, words(accessOf), { look: 'dim', full: 170 }),
  column('restarts', 90, 6, restarts),
]
/** For files as the service spells it, and in full. */
export const itemValues = {
  label: (row: DefinitionItem) => row.label,
  name: (row: DefinitionItem) => row.name,
  group: (row: DefinitionItem) => row.group,
  type: (row: DefinitionItem) => row.type,
  allowed: (row: DefinitionItem) => row.allowed.join(', ') || allowedOf(row),
  unit: (row: DefinitionItem) => row.unit,
  default: (row: DefinitionItem) => (typeof row.default === 'string' ? row.default : defaultOf(row)),
  access: accessOf,
  restarts: (row: DefinitionItem) => restartWord(row.restarts),
}

/** Name, label, type and allowed values, as the service and this page say them: what is searched. */
export const searchTextOf = (item: DefinitionItem): string =>
  [item.name, item.label, item.type, typeOf(item), ...item.allowed, allowedOf(item), ...item.aliases]
    .join(' ')
    .toLowerCase()
