import { randomBytes } from 'node:crypto';
import { type ProtocolResponse, protocol, type Session } from 'electron';
import { readBuiltPage } from '../protocol/built-page';
import { consoleFolder } from './paths';

const scheme = 'whiteline';
const consoleAddress = `${scheme}://console/`;
const nothing: ProtocolResponse = { statusCode: 404, data: Buffer.alloc(0) };

/** Address of the console's page; `hash` says for which of its windows. */
export function consolePage(hash = ''): string {
  return hash === '' ? consoleAddress : `${consoleAddress}#${hash}`;
}

export function isOfConsole(address: string): boolean {
  return address.startsWith(consoleAddress);
}

/** Main calls this before Electron is ready. A scheme of our own leads to what we answer, and to no file. */
export function declareOwnScheme(): void {
  protocol.registerSchemesAsPrivileged([{ scheme, privileges: { standard: true, secure: true } }]);
}

/** Answers the windows of this session with the built renderer, which is read now. */
export function answerConsole(session: Session): void {
  const { files, policy } = readBuiltPage(consoleFolder);
  const headers = {
    'Content-Security-Policy': `${policy}; frame-ancestors 'none'`,
    'X-Content-Type-Options': 'nosniff',
  };
  answer(session, ({ host, pathname }) => {
    const file = host === 'console' ? files.get(pathname) : undefined;
    if (!file) return nothing;
    const [mimeType, charset] = file.type.split('; charset=');
    return { mimeType, charset, headers, data: file.body };
  });
}

/** Answers the windows of this session with these pages, by their addresses. */
export function answerReports(session: Session, pages: ReadonlyMap<string, Buffer>): void {
  answer(session, ({ href }) => {
    const html = pages.get(href);
    return html ? { mimeType: 'text/html', charset: 'utf-8', data: html } : nothing;
  });
}

/** One that nothing else can guess. */
export function newReportAddress(): string {
  return `${scheme}://report/${randomBytes(16).toString('hex')}`;
}

/** `protocol.handle` is not in each Electron that the app runs in; this way is. */
function answer(session: Session, answerTo: (address: URL) => ProtocolResponse): void {
  session.protocol.registerBufferProtocol(scheme, ({ url }, respond) => respond(answerTo(new URL(url))));
}
