import { readFile, writeFile } from 'node:fs/promises';
import { BrowserWindow, type Session, session, type WebContents } from 'electron';
import { WhitelineError } from '../protocol/errors';
import type { ReportHeader } from '../protocol/report-header';
import { answerReports, newReportAddress } from './own-pages';
import { lockDownSession } from './security';

/** Charts are drawn by the page's script; two frames later they stand there. */
const drawn = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))';

/** What the page says in the place of what it could not draw, also where its script failed before; null if it drew all. */
const undrawn = `document.getElementById('root')?.childElementCount === 0
  ? 'Whiteline could not draw this report: its page stayed empty'
  : (document.querySelector('[data-undrawn]')?.textContent ?? null)`;

/** Whether the page's own style numbers its pages (margin boxes of CSS, from Chrome 131 on); otherwise the printer does. */
const numbersPages = "'CSSMarginRule' in window";

const pageNumber =
  '<div style="width: 100%; padding-right: 10mm; font: 7px sans-serif; text-align: right">Page <span class="pageNumber"></span> of <span class="totalPages"></span></div>';

/** Papers across without their margins, CSS px: page.css has them. */
const sizes = {
  a4: { width: 1047, height: 714 },
  letter: { width: 980, height: 736 },
} as const satisfies Record<ReportHeader['paper'], object>;

/** The one that the page asks for. */
const isLetter = `document.querySelector('[data-paper="letter"]') !== null`;

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

/** Charts take the size of their place and the sharpness of the screen when they are drawn: those of the paper, not of a window. */
async function showAsPrinted({ webContents }: BrowserWindow): Promise<void> {
  // Commands wait for a page.
  await webContents.loadURL('about:blank');
  webContents.debugger.attach('1.3');
  await webContents.debugger.sendCommand('Emulation.setEmulatedMedia', { media: 'print' });
  await layOutOn(webContents, 'a4');
}

async function layOutOn({ debugger: emulation }: WebContents, paper: keyof typeof sizes): Promise<void> {
  const metrics = { ...sizes[paper], deviceScaleFactor: 2, mobile: false };
  await emulation.sendCommand('Emulation.setDeviceMetricsOverride', metrics);
}

/**
 * Prints a page of this machine as PDF, on the paper that its own style sheet asks for.
 * @throws WhitelineError TOOL_FAILED if a part of the page could not be drawn
 */
export async function printPage(htmlFile: string, pdfFile: string): Promise<void> {
  const address = newReportAddress();
  pages.set(address, await readFile(htmlFile));
  const window = new BrowserWindow({
    show: false,
    webPreferences: {
      session: printingSession(),
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      backgroundThrottling: false,
    },
  });
  try {
    await showAsPrinted(window);
    await window.loadURL(address);
    // The page itself says on which paper: charts that were drawn for the other one follow the size of their place.
    const asked: unknown = await window.webContents.executeJavaScript(isLetter);
    if (asked === true) await layOutOn(window.webContents, 'letter');
    await window.webContents.executeJavaScript('document.fonts.ready.then(() => true)');
    await window.webContents.executeJavaScript(
      `Promise.race([${drawn}, new Promise((done) => setTimeout(done, 2000))])`,
    );
    const problem: unknown = await window.webContents.executeJavaScript(undrawn);
    if (typeof problem === 'string') throw new WhitelineError({ code: 'TOOL_FAILED', message: problem });
    const areNumbered: unknown = await window.webContents.executeJavaScript(numbersPages);
    const pdf = await window.webContents.printToPDF({
      ...{ printBackground: true, preferCSSPageSize: true },
      ...(areNumbered !== true && {
        ...{ displayHeaderFooter: true, headerTemplate: '<span></span>', footerTemplate: pageNumber },
      }),
    });
    await writeFile(pdfFile, pdf);
  } finally {
    window.destroy();
    pages.delete(address);
  }
}
