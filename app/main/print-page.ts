import { readFile, writeFile } from 'node:fs/promises';
import { BrowserWindow, type Session, session } from 'electron';
import { WhitelineError } from '../protocol/errors';
import { answerReports, newReportAddress } from './own-pages';
import { lockDownSession } from './security';

/** Charts are drawn by the page's script; two frames later they stand there. */
const drawn = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))';

/** What the page says in the place of what it could not draw; null where it drew all. */
const undrawn = "document.querySelector('[data-undrawn]')?.textContent ?? null";

/** Those that are printed now, by their addresses. */
const pages = new Map<string, Buffer>();
let ownSession: Session | null = null;

/** In memory, and with nothing to load but the pages: each has all it needs in it. */
function printingSession(): Session {
  if (ownSession) return ownSession;
  ownSession = session.fromPartition('printing');
  answerReports(ownSession, pages);
  lockDownSession(ownSession, (address) => pages.has(address));
  return ownSession;
}

/**
 * Prints a page of this machine as PDF, on the paper that its own style sheet asks for.
 * @throws WhitelineError TOOL_FAILED where a part of the page could not be drawn
 */
export async function printPage(htmlFile: string, pdfFile: string): Promise<void> {
  const address = newReportAddress();
  pages.set(address, await readFile(htmlFile));
  const window = new BrowserWindow({
    show: false,
    width: 1400,
    height: 1000,
    webPreferences: {
      session: printingSession(),
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      backgroundThrottling: false,
    },
  });
  try {
    await window.loadURL(address);
    await window.webContents.executeJavaScript('document.fonts.ready.then(() => true)');
    await window.webContents.executeJavaScript(
      `Promise.race([${drawn}, new Promise((done) => setTimeout(done, 2000))])`,
    );
    const problem: unknown = await window.webContents.executeJavaScript(undrawn);
    if (typeof problem === 'string') throw new WhitelineError({ code: 'TOOL_FAILED', message: problem });
    await writeFile(
      pdfFile,
      await window.webContents.printToPDF({ printBackground: true, preferCSSPageSize: true }),
    );
  } finally {
    window.destroy();
    pages.delete(address);
  }
}
