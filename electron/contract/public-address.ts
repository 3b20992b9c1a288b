/** Why an address from an untrusted source is not called (core/public-address.ts). */
export type AddressRefusal = 'not-an-address' | 'not-https' | 'with-credentials' | 'not-public'
