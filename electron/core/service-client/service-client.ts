/** The face of the room: what a request and an answer are, and the two clients that send them. */
export type { KeyRing, KeyScrubber, ServiceAnswer, ServiceClient, ServiceRequest } from './service-request.ts'
export { openManagementClient, type ManagementClientOptions } from './management-client.ts'
export { toldMoment } from './retry-after.ts'
export { documentPatienceInMs, openMetadataClient, type MetadataClientOptions } from './metadata-client.ts'
export { saysError } from './error-body.ts'
