import type { Organization } from '../contract/api/organizations.ts'
import type { Downloads, DownloadWaiter } from './downloads/downloads.ts'
import type { OpenExports } from './exports/exports.ts'
import type { Sessions } from './sessions.ts'
import type { SharedDeps } from './core-features.ts'
import type { Tasks } from './tasks.ts'

/** By a sync, which ends with `settled`; or `beside` a sync, such as by one room that was read again. */
export type RowsChange = 'settled' | 'more-to-come' | 'beside'

/** An open feature; null: it does not care. */
interface Opened<Gives> {
  /** What it adds for those after it in the list, for handlers and for the rest of the core. */
  readonly gives: Gives
  /** Rows of an organization changed. */
  readonly onRowsChanged: ((organizationId: string, how: RowsChange) => void) | null
  readonly close: (() => void | Promise<void>) | null
}

/** The client for whom handlers work. */
export interface Client<Shared, Session> {
  readonly shared: Shared
  /** Of its organization. */
  readonly session: () => Promise<Session>
  readonly sessions: Sessions<Session>
  /** Rejects with Failed `invalid` (field `organization`) if there is none. */
  readonly current: () => Promise<Organization>
  readonly currentId: () => Promise<string>
  /** The name in the journal. */
  readonly who: string
  readonly downloads: Downloads
  readonly waiting: DownloadWaiter
  readonly tasks: Tasks
  readonly opened: OpenExports
}

/**
 * One feature of the core: opened in the order of a list with what those before it gave, and its handlers for
 * each client, by group of the contract; null: it has none.
 */
export interface Feature<Needs, Gives, Of, Methods> {
  readonly open: (needs: Needs) => Opened<Gives> | Promise<Opened<Gives>>
  readonly handlers: ((client: Of) => Methods) | null
}

/** Features `for` all organizations, or for each of them. */
type ClientFor<For, Have> = For extends 'all' ? Client<Have, unknown> : Client<SharedDeps, Have>

/** The members of a list, opened. */
export interface OpenFeatures<Have> {
  readonly have: Have
  readonly rowsChanged: (organizationId: string, how: RowsChange) => void
  /** In reverse order. */
  readonly close: () => Promise<void>
}

/** Infers the type of a feature. */
export const feature = <Needs, Gives extends object, Of, Methods extends object>(
  one: Feature<Needs, Gives, Of, Methods>,
): Feature<Needs, Gives, Of, Methods> => one

/** A feature that only has handlers. */
export const methods = <Of, Methods extends object>(
  handlers: (client: Of) => Methods,
): Feature<unknown, object, Of, Methods> => ({
  open: () => ({ gives: {}, onRowsChanged: null, close: null }),
  handlers,
})

type AnyFeature = Feature<never, object, never, object>

/**
 * A list of features in order of need: one that needs what no feature before it gives does not compile.
 */
export class FeatureList<For extends 'all' | 'each', Base, Have = Base, Methods = unknown> {
  readonly #features: readonly AnyFeature[]

  constructor(features: readonly AnyFeature[] = []) {
    this.#features = features
  }

  with<Gives extends object, Own extends object>(
    next: Feature<Have, Gives, ClientFor<For, Have & Gives>, Own>,
  ): FeatureList<For, Base, Have & Gives, Methods & Own> {
    return new FeatureList([...this.#features, next])
  }

  /** Rejects with the failure of the first that does not open, after closing those before it. */
  async open(base: Base): Promise<OpenFeatures<Have>> {
    const opened: Opened<object>[] = []
    const close = async (): Promise<void> => {
      for (const one of opened.toReversed()) await one.close?.()
    }
    let have: object = base as object
    try {
      for (const { open } of this.#features) {
        const one = await open(have as never)
        opened.push(one)
        have = { ...have, ...one.gives }
      }
    } catch (error) {
      await close()
      throw error
    }
    return {
      have: have as Have,
      rowsChanged: (organizationId, how) => {
        for (const { onRowsChanged } of opened) onRowsChanged?.(organizationId, how)
      },
      close,
    }
  }

  /** Features may share a group of the contract. */
  handlers(client: ClientFor<For, Have>): Methods {
    const groups: Record<string, object> = {}
    for (const { handlers } of this.#features)
      for (const [group, own] of Object.entries((handlers?.(client as never) ?? {}) as typeof groups))
        groups[group] = { ...groups[group], ...own }
    return groups as Methods
  }
}
