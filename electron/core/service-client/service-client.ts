/** The main file of the module: the types of requests and responses, and the two clients that send them. */
export type {
  KeyRing,
  KeyScrubber,
  ServiceResponse,
  ServiceClient,
  ServiceRequest,
} from './service-request.ts'
export { openManagementClient } from './management-client.ts'
export { statedMoment } from './retry-after.ts'
export { documentPatienceInMs, openMetadataClient } from './metadata-client.ts'
export { saysError } from './response-text.ts'
export { offlineFailure } from './attempts.ts'
