import { expect, type Locator, type Page } from '@playwright/test'
import { openPage } from './pages.ts'

/** A dialog, menu or panel above a page: how it is opened, and its content. */
export interface Overlay {
  readonly name: string
  readonly page: string
  readonly there: string
  open(page: Page): Promise<Locator>
}

const button = (page: Page, name: string | RegExp): Promise<void> =>
  page.getByRole('button', { name, exact: true }).click()
const dialog = (page: Page, name: string | RegExp): Locator => page.getByRole('dialog', { name })

/** Everything that opens above a page; each closes with Esc. */
export const overlays: readonly Overlay[] = [
  {
    name: 'columns',
    page: 'devices',
    there: '.grid-row .mark',
    open: async (page) => {
      await button(page, 'Columns')
      return page.getByRole('button', { name: 'Reset columns and order' })
    },
  },
  {
    name: 'views',
    page: 'devices',
    there: '.grid-row .mark',
    open: async (page) => {
      await button(page, 'Views')
      return page.getByRole('menu')
    },
  },
  {
    name: 'save a view',
    page: 'devices',
    there: '.grid-row .mark',
    open: async (page) => {
      await button(page, 'Views')
      await page.getByRole('menuitem', { name: 'Save as…' }).click()
      return dialog(page, 'Save this view')
    },
  },
  {
    name: 'export',
    page: 'devices',
    there: '.grid-row .mark',
    open: async (page) => {
      await button(page, 'Export')
      return dialog(page, 'Export devices')
    },
  },
  {
    name: 'paste',
    page: 'devices',
    there: '.grid-row .mark',
    open: async (page) => {
      await button(page, 'Paste a list')
      await dialog(page, 'Paste a list').getByLabel('List', { exact: true }).fill('not-a-device other')
      await expect(dialog(page, 'Paste a list').getByRole('tab', { name: /^Not found\s*2$/ })).toBeVisible()
      return dialog(page, 'Paste a list')
    },
  },
  {
    name: 'tags',
    page: 'devices',
    there: '.grid-row .mark',
    open: async (page) => {
      await page.getByRole('checkbox', { name: 'Select all that match' }).click()
      await button(page, 'Tag…')
      return dialog(page, /^Tag /)
    },
  },
  {
    name: 'column filter',
    page: 'devices',
    there: '.grid-row .mark',
    open: async (page) => {
      await page.getByRole('button', { name: 'Filter Status' }).click()
      return dialog(page, /Filter by/)
    },
  },
  {
    name: 'how to filter',
    page: 'devices',
    there: '.grid-row .mark',
    open: async (page) => {
      await button(page, 'How to filter')
      return dialog(page, 'How to filter')
    },
  },
  {
    name: 'suggestions',
    page: 'devices',
    there: '.grid-row .mark',
    open: async (page) => {
      await page.keyboard.press('/')
      await page.keyboard.type('status:')
      await expect(page.getByRole('option', { name: /online/ }).first()).toBeVisible()
      return page.getByRole('listbox')
    },
  },
  {
    name: 'palette',
    page: 'rooms',
    there: '[role="grid"]',
    open: async (page) => {
      await page.keyboard.press('ControlOrMeta+k')
      return dialog(page, /./)
    },
  },
  {
    name: 'shortcuts',
    page: 'overview',
    there: 'main section h2',
    open: async (page) => {
      await page.keyboard.press('?')
      return dialog(page, 'Keyboard shortcuts')
    },
  },
  {
    name: 'site kit',
    page: 'rooms',
    there: '[role="gridcell"]',
    open: async (page) => {
      await page.getByRole('gridcell').getByRole('checkbox').first().check()
      await page
        .getByRole('region', { name: 'Selected rooms' })
        .getByRole('button', { name: 'Site kit…' })
        .click()
      return dialog(page, 'Make a site kit')
    },
  },
  {
    name: 'plan of a reboot',
    page: 'rooms',
    there: '[role="gridcell"]',
    open: async (page) => {
      await page.getByRole('checkbox', { name: 'Select all that match' }).click()
      await page
        .getByRole('region', { name: 'Selected rooms' })
        .getByRole('button', { name: 'Reboot…' })
        .click()
      await expect(page.getByRole('dialog').getByLabel(/^Type \d+ to start/)).toBeVisible()
      return dialog(page, /^Reboot/)
    },
  },
  {
    name: 'ready for offline',
    page: 'recovery',
    there: 'main input',
    open: async (page) => {
      await page
        .locator('main')
        .getByRole('button', { name: /^Make ready for offline/ })
        .click()
      return dialog(page, 'Make ready for offline')
    },
  },
  {
    name: 'messages',
    page: 'overview',
    there: 'main section h2',
    open: async (page) => {
      await page.keyboard.press('g')
      await page.keyboard.press('m')
      return dialog(page, 'Messages')
    },
  },
]

/** Needs devices that are behind, and an address that updates them. */
export const planOfUpdate: Overlay = {
  name: 'plan of an update',
  page: 'devices?where=fw:behind',
  there: '.grid-row .mark',
  open: async (page) => {
    await page.getByRole('checkbox', { name: 'Select all that match' }).click()
    await button(page, 'Update firmware…')
    await expect(page.getByRole('dialog').getByLabel(/^Type \d+ to start/)).toBeVisible()
    return dialog(page, /^Update/)
  },
}

/** Opens one on its page; `close` presses Esc, twice if the first one clears a field. */
export async function openOverlay(page: Page, overlay: Overlay): Promise<Locator> {
  await openPage(page, overlay.page, overlay.there)
  await page.locator('main h1').focus()
  const opened = await overlay.open(page)
  await expect(opened).toBeVisible()
  return opened
}
export async function closeOverlay(page: Page, opened: Locator): Promise<void> {
  for (let presses = 0; presses < 4; presses++) await page.keyboard.press('Escape')
  await expect(opened).toBeHidden()
}
