export const fuseMark: string
export function packedPlaces(
  release: string,
  system: string,
): { readonly electron: string; readonly resources: string }
