import { onBeforeUnmount, onMounted } from 'vue'

/** Starts when the component is mounted, and ends with the returned function when it goes. */
export function whileMounted(start: () => () => void): void {
  let end: (() => void) | null = null
  onMounted(() => (end = start()))
  onBeforeUnmount(() => end?.())
}
