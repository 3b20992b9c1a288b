import { expect, test } from 'vitest'
import { feature, FeatureList, methods } from '../../electron/core/feature.ts'
import { sessionFeatures } from '../../electron/core/session.ts'

interface Base {
  readonly said: string[]
}
/** Writes what happens to it into `said`. */
const saying = <const N extends string>(name: N, hears: boolean, closes: 'at-once' | 'later' | null) =>
  feature({
    open: ({ said }: Base) => {
      said.push(`${name} opened`)
      return {
        gives: { [name]: name.toUpperCase() } as Readonly<Record<N, string>>,
        onRowsChanged: hears ? (id, how) => said.push(`${name} hears ${id} ${how}`) : null,
        close:
          closes === null
            ? null
            : async () => {
                if (closes === 'later') await Promise.resolve()
                said.push(`${name} closed`)
              },
      }
    },
    handlers: null,
  })

test('opens features in order with what those before gave, tells those who care of rows, and closes in reverse', async () => {
  const said: string[] = []
  const list = new FeatureList<'all', Base>()
    .with(saying('first', true, 'later'))
    .with(saying('second', false, null))
    .with(
      feature({
        open: ({ said: all, first }: Base & { readonly first: string }) => {
          all.push(`third got ${first}`)
          return { gives: {}, onRowsChanged: (id, how) => all.push(`third hears ${id} ${how}`), close: null }
        },
        handlers: null,
      }),
    )
    .with(saying('fourth', false, 'at-once'))
  const { have, rowsChanged, close } = await list.open({ said })
  rowsChanged('nordlys', 'settled')
  await close()
  expect([have.first, have.second, have.fourth, ...said]).toEqual([
    'FIRST',
    'SECOND',
    'FOURTH',
    'first opened',
    'second opened',
    'third got FIRST',
    'fourth opened',
    'first hears nordlys settled',
    'third hears nordlys settled',
    'fourth closed',
    'first closed',
  ])
})

test('a feature that does not open closes those before it', async () => {
  const said: string[] = []
  const list = new FeatureList<'all', Base>().with(saying('first', false, 'later')).with(
    feature({
      open: (_: Base): never => {
        throw new Error('no disk')
      },
      handlers: null,
    }),
  )
  await expect(list.open({ said })).rejects.toThrow('no disk')
  expect(said).toEqual(['first opened', 'first closed'])
})

test('handlers of one group come from several features', () => {
  const list = new FeatureList<'all', Base>()
    .with(methods((_: unknown) => ({ devices: { get: () => 'one' }, tags: { list: () => 'tags' } })))
    .with(methods((_: unknown) => ({ devices: { slice: () => 'some' } })))
  const { devices, tags } = list.handlers({} as never)
  expect([Object.keys(devices), devices.get(), devices.slice(), tags.list()]).toEqual([
    ['get', 'slice'],
    'one',
    'some',
    'tags',
  ])
})

test('a feature that needs what none before it gives does not compile', () => {
  const needy = feature({
    open: (_: Base & { readonly absent: string }) => ({ gives: {}, onRowsChanged: null, close: null }),
    handlers: null,
  })
  // @ts-expect-error: `absent` is given by nobody.
  expect(new FeatureList<'all', Base>().with(needy)).toBeInstanceOf(FeatureList)
  // @ts-expect-error: an organization's list gives no `absent` either.
  expect(sessionFeatures.with(needy)).toBeInstanceOf(FeatureList)
})
