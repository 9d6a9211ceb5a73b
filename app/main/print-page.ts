import { writeFile } from 'node:fs/promises';
import { BrowserWindow } from 'electron';

/** Charts are drawn by the page's script; two frames later they stand there. */
const drawn = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))';

/** Prints a page of this machine as PDF, on the paper that its own style sheet asks for. */
export async function printPage(htmlFile: string, pdfFile: string): Promise<void> {
  const window = new BrowserWindow({
    show: false,
    width: 1400,
    height: 1000,
    webPreferences: {
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      backgroundThrottling: false,
    },
  });
  try {
    await window.loadFile(htmlFile);
    await window.webContents.executeJavaScript('document.fonts.ready.then(() => true)');
    await window.webContents.executeJavaScript(
      `Promise.race([${drawn}, new Promise((done) => setTimeout(done, 2000))])`,
    );
    await writeFile(
      pdfFile,
      await window.webContents.printToPDF({ printBackground: true, preferCSSPageSize: true }),
    );
  } finally {
    window.destroy();
  }
}
