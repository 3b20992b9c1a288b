import { createRouter, createWebHashHistory, type Router, type RouteRecordRaw } from 'vue-router'

/** Pages by the folder that holds them; each is loaded when it is first opened. */
const pages = import.meta.glob<{ default: object }>(['./*/*Page.vue', './firmware/ProductBrowser.vue'])
/** Firmware, Definitions and Release notes stand beside one list of products, which stays while one goes from page to page. */
const PRODUCTS = './firmware/ProductBrowser.vue'

const places: readonly { readonly name: PageName; readonly path: string; readonly file: string; readonly besideProducts?: string }[] = [
  { name: 'rooms', path: '/rooms/:id?', file: './rooms/RoomsPage.vue' },
  { name: 'devices', path: '/devices/:id?', file: './devices/DevicesPage.vue' },
  { name: 'firmware', path: '/firmware/:vendorId(\\d+)?/:productId(\\d+)?', file: './firmware/FirmwarePage.vue', besideProducts: 'firmware' },
  { name: 'definitions', path: '/definitions/:vendorId(\\d+)?/:productId(\\d+)?', file: './definitions/DefinitionsPage.vue', besideProducts: 'definitions' },
  {
    name: 'release-notes',
    path: '/release-notes/:vendorId(\\d+)?/:productId(\\d+)?',
    file: './release-notes/ReleaseNotesPage.vue',
    besideProducts: 'releaseNotes',
  },
  { name: 'organizations', path: '/organizations', file: './organizations/OrganizationsPage.vue' },
  { name: 'welcome', path: '/welcome', file: './welcome/WelcomePage.vue' },
  { name: 'connect', path: '/welcome/connect', file: './organizations/ConnectPage.vue' },
]

export type PageName = 'rooms' | 'devices' | 'firmware' | 'definitions' | 'release-notes' | 'organizations' | 'welcome' | 'connect'
/** Rooms is the landing page: what a technician is called about is a room. */
const LANDING: PageName = 'rooms'

/** `hasOrganization` answers null until it is known; without an organization every page leads to the first run. */
export function createPages(hasOrganization: () => boolean | null): Router {
  const routesOf = (chosen: typeof places): RouteRecordRaw[] =>
    chosen.flatMap(({ name, path, file, besideProducts }) => {
      const component = pages[file]
      return component ? [{ name, path, component, meta: { messages: besideProducts } }] : []
    })
  const beside = pages[PRODUCTS]
  const routes: RouteRecordRaw[] = [
    ...routesOf(places.filter((place) => place.besideProducts === undefined)),
    ...(beside
      ? [
          {
            path: '/products',
            redirect: { name: 'firmware' },
            component: beside,
            children: routesOf(places.filter((place) => place.besideProducts !== undefined)),
          },
        ]
      : []),
  ]
  const router = createRouter({
    history: createWebHashHistory(),
    routes: [...routes, { path: '/:elsewhere(.*)*', redirect: { name: LANDING } }],
  })
  router.beforeEach((to) => {
    if (hasOrganization() === false && to.name !== 'welcome' && to.name !== 'connect' && router.hasRoute('welcome')) return { name: 'welcome' }
    return true
  })
  return router
}
