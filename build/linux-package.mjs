#!/usr/bin/env node
// Takes the place of fpm, which electron-builder would download: makes a deb with dpkg-deb and an rpm with rpmbuild, from fpm's arguments.
// `TARGET=>PATH` among the files is a symbolic link.
import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, readdirSync } from 'node:fs'
import { copyFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'

const words = process.argv.slice(2)
const options = {}
const files = []
while (words.length > 0) {
  const word = words.shift()
  if (word === '--force') continue
  if (!word.startsWith('-')) files.push(word)
  else (options[word.replace(/^-+/, '')] ??= []).push(words.shift())
}
const option = (name) => options[name]?.[0] ?? ''
/** For tests: compressed less. */
const isQuick = process.env.HEADROOM_PACKED_QUICKLY === '1'
const work = mkdtempSync(join(tmpdir(), 'headroom-package-'))
const stage = join(work, 'stage')
// Whatever the packer's umask is.
process.umask(0o022)
try {
  for (const file of files) put(file)
  const entries = readdirSync(stage, { recursive: true, withFileTypes: true })
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name)
    if (!entry.isSymbolicLink())
      chmodSync(path, entry.isDirectory() || lstatSync(path).mode & 0o100 ? 0o755 : 0o644)
  }
  rmSync(option('package'), { force: true })
  if (option('t') === 'deb') makeDeb(entries)
  else makeRpm(entries)
} finally {
  rmSync(work, { recursive: true, force: true })
}

function put(file) {
  const at = file.lastIndexOf('=')
  const isLink = file[at + 1] === '>'
  const to = join(stage, file.slice(at + (isLink ? 2 : 1)))
  const from = file.slice(0, at)
  mkdirSync(dirname(to), { recursive: true })
  if (isLink) symlinkSync(from, to)
  else cpSync(resolve(from), to, { recursive: true, verbatimSymlinks: true })
}

function run(command, ...args) {
  const { status, stderr, error } = spawnSync(command, args, {
    cwd: work,
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`${command} failed: ${error?.message ?? stderr}`)
}

function makeDeb(entries) {
  const bytes = entries
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + lstatSync(join(parentPath, name)).size, 0)
  const control = {
    Package: option('name'),
    Version: option('version').replaceAll('-', '~'),
    Architecture: option('architecture'),
    Maintainer: option('maintainer'),
    'Installed-Size': Math.ceil(bytes / 1024),
    Depends: options.d?.join(', '),
    Recommends: options['deb-recommends']?.join(', '),
    Section: 'utils',
    Priority: option('deb-priority'),
    Homepage: option('url'),
    // Further lines begin with a space.
    Description: option('description').replaceAll(/\n +/g, '\n '),
  }
  const lines = Object.entries(control).filter(([, value]) => value !== undefined && value !== '')
  mkdirSync(join(stage, 'DEBIAN'))
  const write = (name, text, mode) => {
    writeFileSync(join(stage, 'DEBIAN', name), text)
    chmodSync(join(stage, 'DEBIAN', name), mode)
  }
  write('control', lines.map(([name, value]) => `${name}: ${value}\n`).join(''), 0o644)
  write('postinst', readFileSync(option('after-install')), 0o755)
  write('postrm', readFileSync(option('after-remove')), 0o755)
  run(
    'dpkg-deb',
    '--root-owner-group',
    ...(isQuick ? ['-Zgzip', '-z1'] : ['-Zxz']),
    '--build',
    stage,
    option('package'),
  )
}

function makeRpm(entries) {
  // The folders that are removed with it; those above belong to the system.
  const own = '/opt/Headroom'
  const list = entries
    .map((entry) => ({ path: join(entry.parentPath, entry.name).slice(stage.length), entry }))
    .filter(({ path, entry }) => !entry.isDirectory() || `${path}/`.startsWith(`${own}/`))
    .map(({ path, entry }) => `${entry.isDirectory() ? '%dir ' : ''}"${path}"`)
  const script = (name) => readFileSync(option(name), 'utf8').replaceAll('%', '%%')
  const spec = `Name: ${option('name')}
Version: ${option('version').replaceAll('-', '~')}
Release: 1
Summary: ${option('rpm-summary')}
License: ${option('license')}
URL: ${option('url')}
AutoReqProv: no
${(options.d ?? []).map((name) => `Requires: ${name}\n`).join('')}
%global _build_id_links none
%global __os_install_post %{nil}
%global _binary_payload ${isQuick ? 'w1.gzdio' : 'w6T.xzdio'}
%description
${option('description')}
%files
${list.join('\n')}
%post -p /bin/bash
${script('after-install')}
%postun -p /bin/bash
# The old version's script runs after the new one is installed.
if [ "$1" = 0 ]; then
${script('after-remove')}
fi
`
  writeFileSync(join(work, 'spec'), spec)
  const built = join(work, 'rpm')
  run(
    'rpmbuild',
    '-bb',
    `--target=${option('architecture')}`,
    `--buildroot=${stage}`,
    `--define=_topdir ${work}`,
    `--define=_rpmdir ${built}`,
    '--define=_rpmfilename package.rpm',
    join(work, 'spec'),
  )
  copyFileSync(join(built, 'package.rpm'), option('package'))
}
