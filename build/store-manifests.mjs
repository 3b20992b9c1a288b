// node build/store-manifests.mjs FOLDER ADDRESS: for winget and Homebrew, written from the files of a release in FOLDER, which are had from
// ADDRESS/NAME. Both ask for the hash of each file. They are sent by hand (build/release.md).
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { giveUp, root, wrongUsage } from './prepare.mjs'

const [folder, address] = process.argv.slice(2)
if (folder === undefined || !URL.canParse(address ?? '') || new URL(address).protocol !== 'https:')
  giveUp('say the folder of the release and the https address of its files', wrongUsage)
const { version, description, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const sums = new Map(
  readFileSync(join(folder, 'SHA256SUMS'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => [line.slice(66), line.slice(0, 64)]),
)
function fileOf(name) {
  const sum = sums.get(name) ?? giveUp(`${name} is not in SHA256SUMS`)
  return { url: `${address.replace(/\/$/, '')}/${name}`, sum }
}

const id = 'Headroom.Headroom'
const head = `PackageIdentifier: ${id}\nPackageVersion: ${version}\n`
const foot = (type) => `ManifestType: ${type}\nManifestVersion: 1.6.0\n`
const installers = ['x64', 'arm64'].flatMap((arch) => [
  { arch, type: 'nullsoft', scope: 'user', ...fileOf(`Headroom-${version}-${arch}.exe`) },
  { arch, type: 'wix', scope: 'machine', ...fileOf(`Headroom-${version}-${arch}.msi`) },
])
const winget = {
  [`${id}.yaml`]: `${head}DefaultLocale: en-US\n${foot('version')}`,
  [`${id}.installer.yaml`]: `${head}Commands:\n  - headroom\nInstallers:\n${installers
    .map(
      ({ arch, type, scope, url, sum }) =>
        `  - Architecture: ${arch}\n    InstallerType: ${type}\n    Scope: ${scope}\n    InstallerUrl: ${url}\n    InstallerSha256: ${sum.toUpperCase()}\n`,
    )
    .join('')}${foot('installer')}`,
  [`${id}.locale.en-US.yaml`]: `${head}PackageLocale: en-US\nPublisher: Headroom maintainers\nPackageName: Headroom\nLicense: ${license}\nShortDescription: ${JSON.stringify(description)}\n${foot('defaultLocale')}`,
}
const [arm, intel] = ['arm64', 'x64'].map((arch) => fileOf(`Headroom-${version}-${arch}.dmg`))
const cask = `cask "headroom" do
  arch arm: "arm64", intel: "x64"

  version "${version}"
  sha256 arm:   "${arm.sum}",
         intel: "${intel.sum}"

  url "${arm.url.replaceAll(version, '#{version}').replace('arm64.dmg', '#{arch}.dmg')}"
  name "Headroom"
  desc ${JSON.stringify(description)}
  homepage "${new URL(address).origin}/"

  app "Headroom.app"
  binary "#{appdir}/Headroom.app/Contents/Resources/cli/bin/headroom"

  zap trash: "~/Library/Application Support/Headroom"
end
`
for (const [name, text] of [
  ...Object.entries(winget).map(([file, content]) => [join('winget', file), content]),
  [join('homebrew', 'headroom.rb'), cask],
]) {
  mkdirSync(join(folder, name, '..'), { recursive: true })
  writeFileSync(join(folder, name), text)
}
