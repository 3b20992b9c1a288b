/** Why an address that somebody else wrote is not asked (core/public-address.ts). */
export type AddressRefusal = 'not-an-address' | 'not-https' | 'with-credentials' | 'not-public'
