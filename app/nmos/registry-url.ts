import { badInput } from '../protocol/errors';

export interface UrlRules {
  /** Without it HTTPS is refused. */
  allowsHttps?: boolean;
  /** A path below /x-nmos, as announcements and browsers show it, is left out; without it any path is refused. */
  allowsApiPath?: boolean;
}

/**
 * Scheme, host and port of a registry.
 * @param text such as http://192.0.2.7:8010
 * @throws WhitelineError BAD_INPUT for what is no such URL, or has more than that
 */
export function registryOrigin(text: string, field: string, rules: UrlRules = {}): string {
  const { allowsHttps = false, allowsApiPath = false } = rules;
  const refused = (expected: string) =>
    badInput(field, expected, text, 'Use for example http://192.0.2.7:8010');
  const url = parsed(text);
  if (url === null) throw refused('a URL');
  const { origin, pathname, search, hash, username, password } = url;
  const begins = allowsHttps ? /^https?:\/\//i : /^http:\/\//i;
  if (!begins.test(text.trim()))
    throw refused(`a URL that begins with http://${allowsHttps ? ' or https://' : ''}`);
  const isBare = pathname === '/' || (allowsApiPath && /^\/x-nmos(\/|$)/.test(pathname));
  if (!isBare || search !== '' || hash !== '') throw refused('a URL without a path');
  if (username !== '' || password !== '') throw refused('a URL without a name and a password');
  return origin;
}

function parsed(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
