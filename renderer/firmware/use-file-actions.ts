import { useRouter } from 'vue-router'
import type { ProductId } from '../../electron/contract/api/firmware.ts'
import { useDownloads } from '../downloads/downloads-store.ts'
import { failureText } from '../failures/failure-text.ts'
import { text } from '../locales/i18n.ts'
import { useCopyText } from '../components/clipboard.ts'
import { showToast } from '../components/toasts.ts'
import { useFirmware } from './firmware-store.ts'

/** A file of a product: a version, `latest` or `approved`. `buildType` missing: the default one. */
export interface FileOf extends ProductId {
  readonly version: string
  readonly buildType?: string
  /** Group of its bundle. */
  readonly bundle?: string
}

/** The actions for a file, the same wherever it is listed. */
export function useFileActions(): {
  copyLink(file: FileOf): Promise<void>
  /** Downloads into the folder of downloads and opens the Downloads page. */
  download(file: FileOf): Promise<void>
} {
  const copyText = useCopyText()
  const downloads = useDownloads()
  const firmware = useFirmware()
  const router = useRouter()
  const queryOf = ({ buildType = undefined, ...file }: FileOf) => ({ ...file, buildType: buildType ?? null })
  return {
    async copyLink(file) {
      const outcome = await firmware.linkOf(queryOf(file))
      if (!outcome.ok) return showToast(failureText(outcome.failure).sentence, 'bad')
      const { url, version } = outcome.value
      if (url === null) return showToast(text('firmware.link.noAddress', { version }), 'bad')
      if (await copyText(url)) showToast(text('firmware.link.copied', { version }))
      else showToast(text('components.copy.failed'), 'bad')
    },
    async download(file) {
      const isTaken = await downloads.start({
        ...queryOf(file),
        folder: null,
        acceptChanged: null,
        acceptRevoked: false,
      })
      if (isTaken) await router.push({ name: 'downloads' })
    },
  }
}
