import { show, flag, type Command } from '../command.ts'
import { endCut, unlessInterrupted } from '../interrupted.ts'
import { sentence } from '../texts.ts'
import { counted } from '../table.ts'

export const offlineCommands: readonly Command[] = [
  {
    name: 'offline prepare',
    options: { 'dry-run': { type: 'boolean', help: 'shows what it would request, without any calls' } },
    summary:
      'stores data for working offline: releases, links, definitions, information, notes and recovery of the fleet’s products, and telemetry',
    run: async (core, given, terminal) => {
      const plan = await core.handlers.offline.plan()
      const size = plan.bytes === null ? '' : `, about ${(plan.bytes / 1_000_000).toFixed(1)} MB`
      const { name } = await core.handlers.organizations.current()
      const cost = `${counted(plan.products, 'product')} of ${name}: at most ${counted(plan.requests, 'request')} of the metadata interface${size}.`
      if (flag(given, 'dry-run')) {
        return show(given, terminal, plan, () => cost)
      }
      if (!flag(given, 'json')) terminal.say(cost)
      const report = await unlessInterrupted(core, terminal, () => core.handlers.offline.prepare())
      if (report === null) return endCut(given, terminal)
      show(given, terminal, report, () => `${counted(report.prepared, 'document')} available offline.`)
      if (report.failure === null) return 0
      terminal.say(`Not everything could be read. ${sentence(report.failure)}`)
      return 4
    },
  },
]
