import { expect, test } from 'vitest'
import { onlyChosenFolders } from '../../electron/core/chosen-folders.ts'
import { Failed } from '../../electron/contract/failure.ts'
import type { AllHandlers } from '../../electron/contract/rpc-client.ts'

const mine = '/home/ib/Firmware'
/** Handlers that note their calls; the dialog returns one folder. */
function handlers() {
  const called: string[] = []
  const noting = (name: string) => async () => void called.push(name)
  const given = {
    app: { setPreferences: noting('app.setPreferences') },
    downloads: {
      chooseFolder: async () => mine,
      start: noting('downloads.start'),
      verify: noting('downloads.verify'),
    },
    kits: { make: noting('kits.make') },
  }
  return { called, own: onlyChosenFolders(given as unknown as AllHandlers) }
}
type Own = ReturnType<typeof handlers>['own']

test.each<[string, (own: Own, folder: string) => Promise<unknown>]>([
  ['app.setPreferences', (own, downloadFolder) => own.app.setPreferences({ downloadFolder })],
  ['downloads.start', (own, folder) => own.downloads.start({ folder } as never)],
  ['downloads.verify', (own, file) => own.downloads.verify({ files: [file] })],
  ['kits.make', (own, folder) => own.kits.make({ folder } as never)],
])('%s takes a folder after its dialog returned it, and no other one', async (name, call) => {
  const { called, own } = handlers()
  const refused = new Failed({
    kind: 'invalid',
    field: 'folder',
    message: 'Choose the folder in the dialog first.',
  })
  await expect(call(own, mine)).rejects.toEqual(refused)
  await own.downloads.chooseFolder()
  await expect(call(own, '/etc')).rejects.toEqual(refused)
  expect(called).toEqual([])
  await call(own, mine)
  expect(called).toEqual([name])
})

test('the default folder needs no dialog', async () => {
  const { called, own } = handlers()
  await own.downloads.start({ folder: null } as never)
  await own.app.setPreferences({ theme: 'dark' })
  await own.app.setPreferences({ downloadFolder: null })
  expect(called).toEqual(['downloads.start', 'app.setPreferences', 'app.setPreferences'])
})
