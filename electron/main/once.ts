import { writeFile } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import type { BrowserWindow } from 'electron'
import { deviceTitle } from '../contract/device-name.ts'
import type { Core } from '../core/app.ts'

/**
 * The main tasks once, for an automatic check: demonstration organization, sync, definitions resolved for one
 * product, one firmware link, a picture of the window. Prints one JSON line and returns the exit code.
 */
export async function mainJobOnce(
  core: Core,
  window: BrowserWindow,
  mode: 'electron' | 'stand-in',
  screenshot: string,
  startedAt: number,
): Promise<number> {
  const { handlers } = core
  const ms: Record<string, number> = {}
  let last = startedAt
  const lap = (name: string): void => {
    const now = Date.now()
    ms[name] = now - last
    last = now
  }
  lap('start')
  const preset = (await handlers.organizations.list()).presets.find((one) => one.name === 'demonstration')
  if (preset === undefined) throw new Error('no demonstration preset')
  await handlers.organizations.add({ ...preset.draft, name: 'Demonstration' })
  lap('organization')
  const report = await handlers.sync.run()
  lap('sync')
  const page = await handlers.devices.slice({
    where: '',
    sort: [],
    start: 0,
    count: 500,
  })
  const device = page.rows.find(
    (row) => row.productId !== null && row.variantType !== null && row.firmwareVersion !== null,
  )
  if (device === undefined) throw new Error('no device with a product')
  const product = { vendorId: preset.draft.vendorId, productId: device.productId ?? 0 }
  const read = await handlers.definitions.read({
    ...product,
    variantType: device.variantType ?? '',
    firmwareVersion: device.firmwareVersion ?? '',
  })
  lap('definitions')
  const { releases } = await handlers.firmware.releases(product)
  const latest = releases.find((release) => release.latest)
  if (latest === undefined) throw new Error('no release')
  const link = await handlers.firmware.link({
    ...product,
    version: latest.version,
    buildType: 'Release',
    refresh: false,
  })
  lap('firmwareLink')
  // The picture is taken after a failure too, because it shows the cause.
  try {
    await showDevices(window, deviceTitle(device))
  } finally {
    await writeFile(screenshot, await pictureOf(window))
  }
  lap('screenshot')
  ms['total'] = Date.now() - startedAt
  const { inUse, schemaInUse, schemaVersion, latest: latestVersion, limit, reason } = read.inUse
  const line = {
    mode,
    devices: report.devices.read,
    rooms: report.rooms.read,
    definition: {
      product,
      productName: device.productName,
      variantType: device.variantType,
      firmwareVersion: device.firmwareVersion,
      inUse,
      schemaInUse,
      schemaVersion,
      latest: latestVersion,
      limit,
      reason,
      properties: read.properties.length,
    },
    firmwareLink: {
      url: link.url,
      host: link.host,
      version: latest.version,
      observedAt: link.observedAt,
      fromCache: link.fromCache,
    },
    screenshot,
    ms,
  }
  process.stdout.write(`${JSON.stringify(line)}\n`)
  return report.complete ? 0 : 4
}

/** Windows and Linux do not paint a hidden window, and may then never answer: it is shown outside of every display. */
async function pictureOf(window: BrowserWindow): Promise<Buffer> {
  window.setPosition(-20_000, -20_000)
  window.showInactive()
  const image = await Promise.race([
    window.webContents.capturePage(),
    setTimeout(10_000, null, { ref: false }),
  ])
  if (image === null || image.isEmpty())
    throw new Error('The system gave no picture of the window within 10 s.')
  return image.toPNG()
}

/** Shows the Devices page and waits until the table has drawn the device: 20 s at most. */
async function showDevices(window: BrowserWindow, title: string): Promise<void> {
  // The page is requested until it is shown, because a page that is still opening may ignore the first
  // request.
  await window.webContents.executeJavaScript(
    `new Promise((seen, missed) => {
      const until = performance.now() + 20000
      const look = () => {
        if (!location.hash.startsWith('#/devices')) location.hash = '#/devices'
        if (document.querySelector('main')?.textContent.includes(${JSON.stringify(title)})) return requestAnimationFrame(() => requestAnimationFrame(() => seen(true)))
        if (performance.now() > until) return missed(new Error('the window at ' + location.hash + ' did not show ' + ${JSON.stringify(title)}))
        setTimeout(look, 100)
      }
      look()
    })`,
  )
}
