import { app } from './api/app.ts'
import { budget } from './api/budget.ts'
import { changes } from './api/changes.ts'
import { comparison } from './api/comparison.ts'
import { connections } from './api/connections.ts'
import { definitions } from './api/definitions.ts'
import { devices } from './api/devices.ts'
import { downloads } from './api/downloads.ts'
import { explorer } from './api/explorer.ts'
import { exports } from './api/exports.ts'
import { firmware } from './api/firmware.ts'
import { goldenProfiles } from './api/golden-profiles.ts'
import { jobs } from './api/jobs.ts'
import { journal } from './api/journal.ts'
import { kits } from './api/kits.ts'
import { metadata } from './api/metadata.ts'
import { newerVersion } from './api/newer-version.ts'
import { offline } from './api/offline.ts'
import { organizations } from './api/organizations.ts'
import { overview } from './api/overview.ts'
import { pictures } from './api/pictures.ts'
import { releaseNotes } from './api/release-notes.ts'
import { rooms } from './api/rooms.ts'
import { sync } from './api/sync.ts'
import { lists, tags } from './api/tags.ts'
import { tasks } from './api/tasks.ts'
import { views } from './api/views.ts'
import { webhooks } from './api/webhooks.ts'
import { writes } from './api/writes.ts'

/** Everything that crosses between the core and its clients, by feature. Client, server and handlers are derived from it. */
export const api = {
  app,
  budget,
  changes,
  comparison,
  connections,
  definitions,
  devices,
  downloads,
  explorer,
  exports,
  firmware,
  goldenProfiles,
  jobs,
  journal,
  lists,
  kits,
  metadata,
  newerVersion,
  offline,
  organizations,
  overview,
  pictures,
  releaseNotes,
  rooms,
  sync,
  tags,
  tasks,
  views,
  webhooks,
  writes,
}

export type Api = typeof api
