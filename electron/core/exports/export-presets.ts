import type { DeviceRow } from '../../contract/api/devices.ts'
import { deviceTitle } from '../../contract/device-name.ts'
import type { ExportPreset } from '../../contract/export.ts'
import { formFactorOf } from '../../contract/form-factor.ts'
import type { ExportColumn, ExportValue } from './export-columns.ts'

type Value = (row: DeviceRow) => ExportValue

const kind: Value = ({ productName }) => formFactorOf(productName).replaceAll('-', ' ')
/** The only vendor of the catalogue. */
const manufacturer: Value = () => 'Jabra'
const room: Value = (row) => row.room?.name ?? null
const place: Value = (row) => row.room?.location ?? null
const note: Value = (row) => row.note ?? null

/**
 * The headings under which each program imports devices, in its documentation or source as of November 2026; what is required and unknown
 * here (an asset tag, a site of a device without a room) is filled in by a person.
 */
const presets: Readonly<Record<ExportPreset, Readonly<Record<string, Value>>>> = {
  // The importer of assets (app/Importer/Importer.php), in any case.
  'snipe-it': {
    'Item Name': deviceTitle,
    'Model Name': (row) => row.productName,
    'Model Number': (row) => row.variantType,
    Category: kind,
    Manufacturer: manufacturer,
    'Serial Number': (row) => row.serialNumber,
    Location: room,
    Notes: note,
  },
  // Columns of cmdb_ci (class Configuration Item), which a transform map assigns by name.
  servicenow: {
    name: deviceTitle,
    serial_number: (row) => row.serialNumber,
    manufacturer,
    model_id: (row) => row.productName,
    category: kind,
    location: place,
    assigned_to: (row) => row.userName,
    ip_address: (row) => row.ipAddress,
    mac_address: (row) => row.macAddress,
    correlation_id: (row) => row.id,
    comments: note,
  },
  // Fields of a peripheral in the plugin Data injection, which a person assigns once.
  glpi: {
    Name: deviceTitle,
    Type: kind,
    Model: (row) => row.productName,
    Manufacturer: manufacturer,
    'Serial number': (row) => row.serialNumber,
    Location: place,
    User: (row) => row.userName,
    Comments: note,
  },
  // The form for importing devices (netbox/dcim/forms/bulk_import.py).
  netbox: {
    name: deviceTitle,
    role: kind,
    manufacturer,
    device_type: (row) => row.productName,
    serial: (row) => row.serialNumber,
    status: (row) => (row.status === 'online' ? 'active' : 'offline'),
    site: place,
    location: room,
    comments: note,
  },
}

export const presetColumns = (preset: ExportPreset): readonly ExportColumn<DeviceRow>[] =>
  Object.entries(presets[preset]).map(([label, value]) => ({ key: label, label, time: false, value }))
