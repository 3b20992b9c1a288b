import { onTestFinished } from 'vitest'
import { openProxy, type RunningProxy } from './open-proxy.ts'

/** A proxy that ends with the test. */
export async function aProxy(...given: Parameters<typeof openProxy>): Promise<RunningProxy> {
  const proxy = await openProxy(...given)
  onTestFinished(() => proxy.close())
  return proxy
}
