import { expect, test } from 'vitest'
import type { DeviceRow } from '../../../electron/contract/api/devices.ts'
import { exportPresets, type ExportPreset } from '../../../electron/contract/export.ts'
import { openExportsOf } from '../../../electron/core/exports/open-exports.ts'
import type { ExportFor, ExportSources } from '../../../electron/core/exports/export-rows.ts'
import { FakeClock } from '../../fake-clock.ts'

const alike = { variantType: '01-64', ipAddress: '10.4.12.7', macAddress: '50:1A:A5:00:11:22' }
const rows = [
  {
    ...alike,
    id: 'D1',
    name: 'Video bar',
    productName: 'Jabra PanaCast 50',
    serialNumber: 'SN1',
    status: 'online',
    userName: null,
    room: { id: 'r1', name: 'Fjord 1', location: 'Aarhus, floor 2' },
    note: '=Key at the desk',
  },
  {
    ...alike,
    id: 'D2',
    name: 'Jabra Evolve2 65',
    productName: 'Jabra Evolve2 65 Mono',
    serialNumber: null,
    status: 'offline',
    userName: 'Mette Lund',
    room: null,
  },
] as unknown as readonly DeviceRow[]
const sources = {
  clock: new FakeClock(),
  devices: {
    totals: async () => ({ count: 2, asOf: 0 }),
    listed: async () => ({ total: 2, batches: [rows] }),
  },
} as unknown as ExportSources

const files: Readonly<Record<ExportPreset, readonly string[]>> = {
  'snipe-it': [
    'Item Name,Model Name,Model Number,Category,Manufacturer,Serial Number,Location,Notes',
    "Fjord 1,Jabra PanaCast 50,01-64,video bar,Jabra,SN1,Fjord 1,'=Key at the desk",
    'Mette Lund,Jabra Evolve2 65 Mono,01-64,headset mono,Jabra,,,',
  ],
  servicenow: [
    'name,serial_number,manufacturer,model_id,category,location,assigned_to,ip_address,mac_address,correlation_id,comments',
    'Fjord 1,SN1,Jabra,Jabra PanaCast 50,video bar,"Aarhus, floor 2",,10.4.12.7,50:1A:A5:00:11:22,D1,\'=Key at the desk',
    'Mette Lund,,Jabra,Jabra Evolve2 65 Mono,headset mono,,Mette Lund,10.4.12.7,50:1A:A5:00:11:22,D2,',
  ],
  glpi: [
    'Name,Type,Model,Manufacturer,Serial number,Location,User,Comments',
    'Fjord 1,video bar,Jabra PanaCast 50,Jabra,SN1,"Aarhus, floor 2",,\'=Key at the desk',
    'Mette Lund,headset mono,Jabra Evolve2 65 Mono,Jabra,,,Mette Lund,',
  ],
  netbox: [
    'name,role,manufacturer,device_type,serial,status,site,location,comments',
    'Fjord 1,video bar,Jabra,Jabra PanaCast 50,SN1,active,"Aarhus, floor 2",Fjord 1,\'=Key at the desk',
    'Mette Lund,headset mono,Jabra,Jabra Evolve2 65 Mono,,offline,,,',
  ],
}

test.each(exportPresets)(
  'a file of devices for %s has its headings and a line for each device',
  async (preset) => {
    const client = openExportsOf({ ...sources, newId: () => '1' })
    const { id } = await client.open({ organizationId: 'o', organizationName: 'Nordlys' } as ExportFor, {
      subject: { of: 'devices', selection: { kind: 'picked', ids: [] }, sort: [] },
      format: 'csv',
      columns: null,
      delimiter: ',',
      timeZone: 'UTC',
      viewName: null,
      preset,
    })
    const piece = await client.next(id)
    expect(piece?.text.split('\r\n')).toEqual([...files[preset], ''])
  },
)
