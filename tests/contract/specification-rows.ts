/**
 * The rows of the specification's tables of operations, copied verbatim, because a table that is only
 * compared with itself would agree with its own errors. Interface A: operation, path, response. Interface B:
 * operation, method and path, request.
 */
export const metadataRows: readonly (readonly [operation: string, path: string, response: string])[] = [
  ['GetTelemetry', '/telemetry', 'TelemetrySettings'],
  ['GetGnpSchemaVersions', '/protocol-definitions/gnp/schema-versions', 'array of SchemaVersion'],
  [
    'GetGnpPropertyMapBySchemaVersion',
    '/protocol-definitions/gnp/schema-versions/{schemaVersion}/property-map',
    'GnpMapping',
  ],
  [
    'GetGnpPropertiesForProductVariant',
    '/protocol-definitions/gnp/vendors/{vendorId}/products/{productId}/variants/{variantType}/firmware-versions/{firmwareVersion}/schema-versions/{schemaVersion}/properties',
    'GnpDefinition',
  ],
  [
    'GetGnpPropertiesBySchema',
    '/protocol-definitions/gnp/schema-versions/{schemaVersion}/properties',
    'GnpDefinition',
  ],
  [
    'GetGnpPropertiesBySchemaTrimmed',
    '/protocol-definitions/gnp/schema-versions/{schemaVersion}/properties/trimmed',
    'GnpDefinition',
  ],
  [
    'GetGnpDefinitionVersionLatest',
    '/protocol-definitions/gnp/definition-versions/schema-versions/{schemaVersion}/latest/info',
    'ProtocolVersion',
  ],
  [
    'GetJoseDefinitionV1ByFirmwareVersion',
    '/protocol-definitions/jose/vendors/{vendorId}/products/{productId}/firmware-versions/{firmwareVersion}/schema-versions/1/definition',
    'JoseDefinition',
  ],
  [
    'GetJoseDefinitionV2ByFirmwareVersion',
    '/protocol-definitions/jose/vendors/{vendorId}/products/{productId}/variants/{variantType}/firmware-versions/{firmwareVersion}/schema-versions/2/definition',
    'JoseDefinitionV2',
  ],
  ['GetDeviceSettingsNameMap', '/product-mapping/name-map', 'NameMapRoot'],
  [
    'GetLatestDeviceModelBySchema',
    '/vendors/{vendorId}/products/{productId}/variants/{variantType}/firmware-versions/{firmwareVersion}/device-models/{sdk}/schema-versions/{schemaVersion}',
    'DeviceModelRoot',
  ],
  [
    'GetDeviceModelByDefinition',
    '/vendors/{vendorId}/products/{productId}/variants/{variantType}/firmware-versions/{firmwareVersion}/device-models/{sdk}/definition-versions/{definitionVersion}',
    'DeviceModelRoot',
  ],
  ['GetProductVariants', '/vendors/products/{entityId}/variants', 'array of ProductVariant'],
  [
    'GetFeatureModelByProductVariant',
    '/vendors/{vendorId}/products/{productId}/variants/{variantType}/firmware-versions/{firmwareVersion}/feature-model',
    'FeatureModelRoot',
  ],
  [
    'GetFeatureModelByEntityId',
    '/vendors/products/{entityId}/firmware-versions/{firmwareVersion}/feature-model',
    'FeatureModelRoot',
  ],
  [
    'GetProductInformation',
    '/vendors/{vendorId}/products/{productId}/variants/{variantType}/information',
    'ProductInformation',
  ],
  ['GetVariantIdentifiersForHostProducts', '/vendors/products/hosts', 'array of VariantIdentifier'],
  [
    'GetVariantIdentifiersForProductsWithAgent',
    '/vendors/products/with-agent/{agentType}',
    'array of VariantIdentifier',
  ],
  ['GetIgnoredGnpProducts', '/ignore-lists/gnp', 'ProtocolIgnoreList'],
  [
    'GetProductGroupBundleProductByVariant',
    '/product-group-bundles/vendors/{vendorId}/products/{productId}/variants/{variantType}',
    'ProductGroupBundleProduct',
  ],
  [
    'GetProductGroupBundleProductByVariantEntityId',
    '/product-group-bundles/vendors/products/variants/{entityId} (entityId is a guid)',
    'ProductGroupBundleProduct',
  ],
  [
    'GetProductGroupBundleProductByEntityId',
    '/product-group-bundles/vendors/products/{entityId}',
    'ProductGroupBundleProduct',
  ],
  ['GetProductGroupBundles (device catalog)', '/product-group-bundles/bundles', 'ProductGroupBundlesRoot'],
  [
    'GetProductGroupBundleByName',
    '/product-group-bundles/bundles/{productGroupBundleName}',
    'ProductGroupBundlesRoot',
  ],
  [
    'GetFirmwareUpdaterConfigurations',
    '/vendors/{vendorId}/products/{productId}/variants/{variantType}/firmware-updater-configurations/platforms/{platformOs}',
    'array of FirmwareUpdaterConfiguration',
  ],
  [
    'GetDfuProductIds',
    '/vendors/products/variants/firmware-updater-configurations/dfu-product-ids',
    'array of DfuProductIdsForVendor',
  ],
  [
    'GetLatestFirmwareFromDfuPid',
    '/vendors/{vendorId}/products/recovery/{dfuProductId}/firmware',
    'Firmware',
  ],
  [
    'GetFirmwareUpdaterConfigurationsByDfuPid',
    '/vendors/{vendorId}/products/recovery/{dfuProductId}/firmware-updater-configurations',
    'array of FirmwareUpdaterConfiguration',
  ],
  [
    'GetFirmwareReleasesByProductId',
    '/vendors/{vendorId}/products/{productId}/firmware-releases',
    'array of Firmware',
  ],
  [
    'GetFirmwareDownloadLinkByProduct',
    '/vendors/{vendorId}/products/{productId}/firmware-versions/{firmwareVersion}/build-types/{buildType}/downloadLink',
    'FirmwareDownloadLink',
  ],
  ['GetFirmwareBundles', '/vendors/products/firmware-bundles', 'array of FirmwareBundle'],
  [
    'GetFirmwareBundlesByGroupIdAndBundleVersion',
    '/vendors/products/firmware-bundles/{firmwareBundleGroupId}/versions/{firmwareBundleVersion}',
    'array of FirmwareBundle',
  ],
  [
    'GetFirmwareDownloadLinkByFirmwareBundleByBuildType',
    '/vendors/{vendorId}/products/{productId}/firmware-bundle-groups/{firmwareBundleGroupId}/versions/{firmwareBundleVersion}/build-types/{buildType}/downloadLink',
    'FirmwareDownloadLink',
  ],
]

export const managementRows: readonly (readonly [
  operation: string,
  methodAndPath: string,
  request: string,
])[] = [
  ['List devices (v2)', 'POST /devices/api/devices', 'JSON body per part 2'],
  [
    'List devices (v1)',
    'GET /devices/api/devices',
    'query parameters `DeviceClientType`, `PageSize`, `ContinuationToken`',
  ],
  [
    'Get devices in pages, including their settings (v2 only)',
    'method POST; path and body beyond the v2 pagination and filter model: not shown',
    'filter and paging in JSON body',
  ],
  [
    'List meeting rooms',
    'POST /meetingrooms/api/meetingrooms',
    'JSON body with sortDescending, pageSize (and continuation and filters)',
  ],
  ['Get a room', 'GET /meetingrooms/api/meetingrooms/{groupId}', 'none'],
  ['Reboot room', 'POST /meetingrooms/api/meetingrooms/{groupId}/reboot', 'no body'],
]
