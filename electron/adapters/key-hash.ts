import { scrypt } from 'node:crypto'

/**
 * The salted hash of a key, 64 hexadecimal digits: intentionally slow (about 50 ms), so that a copied workbook does not reveal a short key.
 * The workbook's format contains it: by another hash no stored key is recognized.
 */
export const keyHash = (key: string, salt: string): Promise<string> =>
  new Promise((resolve, reject) =>
    scrypt(key, salt, 32, (error, hash) => (error === null ? resolve(hash.toString('hex')) : reject(error))),
  )
