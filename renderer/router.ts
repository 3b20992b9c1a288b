import {
  createRouter,
  createWebHashHistory,
  type RouteLocation,
  type Router,
  type RouteRecordRaw,
} from 'vue-router'
import { partOf } from './layout/page-icons.ts'

export type PageName =
  | 'overview'
  | 'changes'
  | 'preferences'
  | 'connections'
  | 'downloads'
  | 'rooms'
  | 'room'
  | 'devices'
  | 'device'
  | 'firmware'
  | 'definitions'
  | 'compare'
  | 'release-notes'
  | 'jobs'
  | 'journal'
  | 'recovery'
  | 'telemetry'
  | 'explorer'
  | 'webhooks'
  | 'golden-profiles'
  | 'organizations'
  | 'compare-rooms'
  | 'compare-devices'
  | 'help'
  | 'link'
  | 'welcome'
type Page = RouteRecordRaw & { readonly name: PageName }

const ofProduct = '/:vendorId(\\d+)?/:productId(\\d+)?'

/** Definitions and Release notes share one list of products, which remains when switching between them. */
const besideProducts: readonly Page[] = [
  {
    name: 'definitions',
    path: `/definitions${ofProduct}`,
    component: () => import('./definitions/DefinitionsPage.vue'),
    meta: { messages: 'definitions' },
  },
  {
    name: 'release-notes',
    path: `/release-notes${ofProduct}`,
    component: () => import('./release-notes/ReleaseNotesPage.vue'),
    meta: { messages: 'releaseNotes' },
  },
]
/** Each page is loaded when it is first opened, so that the start loads only one. */
const alone: readonly Page[] = [
  { name: 'overview', path: '/overview', component: () => import('./overview/OverviewPage.vue') },
  { name: 'changes', path: '/changes', component: () => import('./changes/ChangesPage.vue') },
  { name: 'firmware', path: `/firmware${ofProduct}`, component: () => import('./firmware/FirmwarePage.vue') },
  { name: 'rooms', path: '/rooms/:id?', component: () => import('./rooms/RoomsPage.vue') },
  { name: 'devices', path: '/devices/:id?', component: () => import('./devices/DevicesPage.vue') },
  { name: 'device', path: '/device/:id?', component: () => import('./devices/DevicePage.vue') },
  { name: 'room', path: '/room/:id?', component: () => import('./rooms/RoomPage.vue') },
  ...(['rooms', 'devices'] as const).map((of) => ({
    name: `compare-${of}` as const,
    path: `/compare-${of}/:a?/:b?`,
    component: () => import('./comparison/ComparisonPage.vue'),
  })),
  { name: 'recovery', path: '/recovery/:id?', component: () => import('./recovery/RecoveryPage.vue') },
  { name: 'explorer', path: '/explorer/:operation?', component: () => import('./explorer/ExplorerPage.vue') },
  { name: 'jobs', path: '/jobs/:id?', component: () => import('./jobs/JobsPage.vue') },
  {
    name: 'golden-profiles',
    path: '/golden-profiles/:id?',
    component: () => import('./golden-profiles/GoldenProfilesPage.vue'),
  },
  { name: 'journal', path: '/journal/:id?', component: () => import('./journal/JournalPage.vue') },
  {
    name: 'organizations',
    path: '/organizations',
    component: () => import('./organizations/OrganizationsPage.vue'),
  },
  {
    name: 'preferences',
    path: '/preferences/:section?',
    component: () => import('./preferences/PreferencesPage.vue'),
  },
  { name: 'help', path: '/help/:topic?', component: () => import('./guide/GuidePage.vue') },
  { name: 'link', path: '/link', component: () => import('./links/LinkPage.vue') },
  { name: 'welcome', path: '/welcome', component: () => import('./organizations/WelcomePage.vue') },
]

/**
 * `hasOrganization` returns null until it is known; without an organization every page leads to the welcome
 * page.
 */
export function createPages(hasOrganization: () => boolean | null | Promise<boolean | null>): Router {
  const router = createRouter({
    history: createWebHashHistory(),
    routes: [
      ...alone,
      {
        path: '/products',
        redirect: { name: 'firmware' },
        component: () => import('./firmware/ProductBrowser.vue'),
        children: [...besideProducts],
      },
      ...Object.entries(partOf).map(([name, to]) => ({
        name,
        path: `/${name}`,
        redirect: ({ query }: RouteLocation) => ({ ...to, query: { ...query, ...to.query } }),
      })),
      { path: '/welcome/connect', redirect: '/welcome' },
      { path: '/:elsewhere(.*)*', redirect: { name: 'overview' satisfies PageName } },
    ],
  })
  router.beforeEach(async (to) =>
    to.name === ('welcome' satisfies PageName) || (await hasOrganization()) !== false
      ? true
      : { name: 'welcome' },
  )
  return router
}
