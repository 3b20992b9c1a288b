import type { SystemChoice } from './proxies.ts'
import { isExcepted } from './proxy-exceptions.ts'
import { outputOf, registryProgram } from './system-program.ts'

/** What the settings of the system say of proxies. */
export interface SystemProxy {
  /** As the system writes it, such as `proxy:8080`; null: none. */
  readonly https: string | null
  readonly http: string | null
  /** Hosts without a proxy. */
  readonly except: readonly string[]
  /** A script names the proxy, or is looked for. */
  readonly hasScript: boolean
}

/** By the settings of the system, which are asked once, when they are needed. */
export function openSystemProxies(
  ask: () => Promise<SystemProxy | null> = systemProxy,
): (target: URL) => Promise<SystemChoice> {
  let asked: Promise<SystemProxy | null> | null = null
  return async (target) => {
    asked ??= ask()
    const settings = await asked
    if (settings === null || isExcepted(target, settings.except)) return { proxy: null, hasScript: false }
    const { https, http, hasScript } = settings
    return { proxy: target.protocol === 'https:' ? https : http, hasScript }
  }
}

/** null: no settings that can be read. Asks a program of the system, by its full path. */
export async function systemProxy(
  platform: NodeJS.Platform = process.platform,
  ask: typeof outputOf = outputOf,
): Promise<SystemProxy | null> {
  switch (platform) {
    case 'win32': {
      const key = String.raw`HKCU\Software\Microsoft\Windows\CurrentVersion\Internet Settings`
      const said = await ask(registryProgram(), ['query', key])
      return said === null ? null : windowsProxy(said)
    }
    case 'darwin': {
      const said = await ask('/usr/sbin/scutil', ['--proxy'])
      return said === null ? null : macProxy(said)
    }
    default: {
      const said = await ask('/usr/bin/gsettings', ['list-recursively', 'org.gnome.system.proxy'])
      return said === null ? null : gnomeProxy(said)
    }
  }
}

/** `ProxyServer    REG_SZ    http=a:80;https=b:443` */
function windowsProxy(said: string): SystemProxy {
  const value = (name: string): string =>
    new RegExp(String.raw`^\s+${name}\s+REG_\w+\s+(.*?)\s*$`, 'm').exec(said)?.[1] ?? ''
  const servers = Number(value('ProxyEnable')) === 1 ? value('ProxyServer').split(/[;\s]+/) : []
  const serverFor = (scheme: string): string | null =>
    servers.find((one) => one.startsWith(`${scheme}=`))?.slice(scheme.length + 1) ??
    (servers.find((one) => one !== '' && !one.includes('=')) || null)
  return {
    https: serverFor('https'),
    http: serverFor('http'),
    except: value('ProxyOverride').split(/[;\s]+/),
    hasScript: value('AutoConfigURL') !== '',
  }
}

/** `HTTPSProxy : proxy.example.com` */
function macProxy(said: string): SystemProxy {
  const value = (name: string): string =>
    new RegExp(String.raw`^ *${name} : (.+?)\s*$`, 'm').exec(said)?.[1] ?? ''
  const isOn = (name: string): boolean => value(name) === '1'
  const [, exceptions = ''] = /ExceptionsList : <array> \{([^}]*)\}/.exec(said) ?? []
  const serverFor = (scheme: 'HTTP' | 'HTTPS'): string | null =>
    isOn(`${scheme}Enable`) ? `${value(`${scheme}Proxy`)}:${value(`${scheme}Port`)}` : null
  return {
    https: serverFor('HTTPS'),
    http: serverFor('HTTP'),
    except: [
      ...[...exceptions.matchAll(/^ *\d+ : (.+?)\s*$/gm)].map(([, entry = '']) => entry),
      ...(isOn('ExcludeSimpleHostnames') ? ['<local>'] : []),
    ],
    hasScript: isOn('ProxyAutoConfigEnable') || isOn('ProxyAutoDiscoveryEnable'),
  }
}

/** `org.gnome.system.proxy.https host 'proxy.example.com'` */
function gnomeProxy(said: string): SystemProxy {
  const value = (name: string): string =>
    new RegExp(String.raw`^org\.gnome\.system\.proxy${name} (.*?)\s*$`, 'm')
      .exec(said)?.[1]
      ?.replace(/^'(.*)'$/, '$1') ?? ''
  const mode = value(' mode')
  const serverFor = (scheme: string): string | null => {
    const host = mode === 'manual' ? value(String.raw`\.${scheme} host`) : ''
    return host === '' ? null : `${host}:${value(String.raw`\.${scheme} port`)}`
  }
  return {
    https: serverFor('https'),
    http: serverFor('http'),
    // A name stands for all names below it too.
    except: [...value(' ignore-hosts').matchAll(/'([^']+)'/g)].flatMap(([, entry = '']) =>
      /^[a-z][\w.-]*$/i.test(entry) ? [entry, `.${entry}`] : [entry],
    ),
    hasScript: mode === 'auto',
  }
}
