export { verifyKit } from './verify-kit.ts'
