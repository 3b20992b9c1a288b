import { z } from 'zod'
import { anySort, column, free, start, where } from '../argument-parts.ts'
import { method } from '../method.ts'
import { listNames, type SavedView } from '../view.ts'

const list = z.enum(listNames)
const columns = z.array(column).max(60).readonly().nullable()

export const views = {
  list: method(z.strictObject({ list })).returns<readonly SavedView[]>(),
  /** One of the same list and name is replaced. */
  save: method(z.strictObject({ list, name: free, where, sort: anySort, columns })).returns<
    readonly SavedView[]
  >(),
  rename: method(z.strictObject({ id: start, name: free })).returns<readonly SavedView[]>(),
  remove: method(z.strictObject({ id: start })).returns<readonly SavedView[]>(),
}
