import { existsSync, readdirSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { shellChannels } from '../app/protocol/bridge';
import type { Problem } from '../app/protocol/errors';
import { expect, test } from './app';
import { untilAskedFor } from './listeners';

/** What an attacker who runs a script in the window could try, and must not get. */

/** Calls of the bridge as a script would make them: with anything. */
type AnyBridge = Record<string, (...given: unknown[]) => Promise<unknown>>;

/** A website that counts who comes. */
async function openWebsite(): Promise<{ server: Server; address: string; visits: string[] }> {
  const visits: string[] = [];
  const server = createServer((request, response) => {
    visits.push(request.url ?? '');
    response.setHeader('Access-Control-Allow-Origin', '*');
    response.end('window.wasReached = true');
  });
  server.on('upgrade', (request, socket) => {
    visits.push(`socket ${request.url}`);
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, address: `127.0.0.1:${(server.address() as AddressInfo).port}`, visits };
}

/** Sends anything over a port of its own to the engine, and gives the engine's answer. */
function postToEngine(page: Page, message: { requestId: number }): Promise<Problem | null> {
  return page.evaluate(
    ({ message, channel }) =>
      new Promise<Problem | null>((resolve) => {
        window.addEventListener('message', function take({ data, ports }) {
          const port = ports[0];
          if (data?.type !== channel || !port) return;
          window.removeEventListener('message', take);
          port.addEventListener('message', ({ data: reply }) => {
            if (reply.type === 'reply' && reply.requestId === message.requestId) resolve(reply.problem);
          });
          port.postMessage(message);
        });
        (window as unknown as { whiteline: { requestEnginePort(): void } }).whiteline.requestEnginePort();
      }),
    { message, channel: shellChannels.enginePort },
  );
}

test('a script in the window gets neither Node nor the network nor another page', async ({ whiteline }) => {
  const { app, page } = whiteline;
  const opened = app.waitForEvent('window');
  await page.keyboard.press('f');
  const whiteLine = await opened;
  const preferences = await app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows().map(({ webContents }) => {
      // Electron reports it, and leaves it out of its types.
      const { getLastWebPreferences } = webContents as unknown as {
        getLastWebPreferences(): Record<string, unknown>;
      };
      const { contextIsolation, sandbox, nodeIntegration, webSecurity, webviewTag } =
        getLastWebPreferences.call(webContents);
      return { contextIsolation, sandbox, nodeIntegration, webSecurity, webviewTag };
    }),
  );
  const locked = { contextIsolation: true, sandbox: true, nodeIntegration: false };
  expect(preferences).toEqual(
    [locked, locked].map((window) => ({ ...window, webSecurity: true, webviewTag: false })),
  );
  await whiteLine.close();

  const found = await page.evaluate(() => {
    const outside = ['require', 'process', 'module', 'global', 'Buffer', 'electron', 'ipcRenderer'];
    const { whiteline } = window as unknown as { whiteline: Record<string, unknown> };
    // A function of the bridge must not lead into the world that made it.
    const chooseMovie = whiteline.chooseMovie as { constructor: { constructor: unknown } };
    let isReplaced = false;
    try {
      whiteline.openExternal = () => undefined;
      isReplaced = !String(whiteline.openExternal).includes('native code');
      Object.defineProperty(window, 'whiteline', { value: {} });
      isReplaced = true;
    } catch {
      // Sealed, as it should be.
    }
    return {
      nodes: outside.filter((name) => name in window),
      isOwnWorld: chooseMovie.constructor === Function,
      isReplaced,
    };
  });
  expect(found).toEqual({ nodes: [], isOwnWorld: true, isReplaced: false });

  const { server, address, visits } = await openWebsite();
  const home = page.url();
  const outcome = await page.evaluate(async (address) => {
    const site = `http://${address}`;
    const violations: string[] = [];
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) =>
      violations.push(effectiveDirective),
    );
    const page = window as unknown as Record<string, unknown>;
    const add = (tag: string, attributes: Record<string, string>, text = '') => {
      const element = document.createElement(tag);
      document.body.append(element);
      for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
      if (text !== '') element.append(text);
      return element;
    };
    const attempt = async (action: () => unknown) => {
      try {
        await action();
      } catch {
        // Refused, which is what is wanted; that it was is counted at the other end.
      }
    };
    await attempt(() =>
      (document.body.lastElementChild as Element).insertAdjacentHTML('beforeend', '<p>wasHtml</p>'),
    );
    page.wasHtml = document.body.textContent?.includes('wasHtml');
    await attempt(() => add('script', {}, 'window.wasInline = true'));
    await attempt(() => add('script', { src: `${site}/script` }));
    await attempt(() => add('script', { src: 'data:text/javascript,window.wasData = true' }));
    await attempt(() => add('img', { src: `${site}/image`, onerror: 'window.wasHandler = true' }));
    await attempt(() => add('iframe', { src: `${site}/frame` }));
    await attempt(() => add('iframe', { srcdoc: '<script>parent.wasFramed = true</script>' }));
    await attempt(() => add('link', { rel: 'stylesheet', href: `${site}/style` }));
    await attempt(() => add('object', { data: `${site}/object` }));
    await attempt(() => add('webview', { src: `${site}/webview`, nodeintegration: '' }));
    await attempt(() => add('base', { href: `${site}/` }));
    await attempt(() => add('a', { href: 'javascript:window.wasAddress = true' }).click());
    await attempt(() => add('a', { href: `${site}/link` }).click());
    await attempt(() => add('a', { href: `${site}/download`, download: 'x' }).click());
    const form = add('form', { action: `${site}/form`, method: 'post' }) as HTMLFormElement;
    await attempt(() => form.submit());
    await attempt(() => fetch(`${site}/fetch`));
    await attempt(() => fetch('file:///etc/passwd').then(() => (page.wasFile = true)));
    await attempt(() => navigator.sendBeacon(`${site}/beacon`));
    await attempt(() => new WebSocket(`ws://${address}/socket`));
    await attempt(() => new EventSource(`${site}/events`));
    await attempt(() => new Worker(URL.createObjectURL(new Blob(['postMessage(1)']))));
    await attempt(() => import(`${site}/module`));
    await attempt(() => (page.wasOpened = window.open(`${site}/window`) !== null));
    await attempt(() => (page.wasOpened = window.open('file:///etc/passwd') !== null));
    await attempt(() => (location.href = `${site}/navigation`));
    await attempt(() => (location.href = 'file:///etc/passwd'));
    await attempt(() => (location.href = 'about:blank'));
    await attempt(() => (location.href = 'data:text/html,<p>elsewhere'));
    await attempt(
      () => (location.href = URL.createObjectURL(new Blob(['<p>elsewhere'], { type: 'text/html' }))),
    );
    // Out of the debugger's reach, which may evaluate what the page may not.
    await attempt(() => setTimeout('window.wasEvaluated = true', 0));
    // Each has to be refused, some by another process, which takes its time.
    const refusals = ['connect-src', 'frame-src', 'img-src', 'script-src-elem', 'style-src-elem'];
    const missing = () => refusals.filter((directive) => !violations.includes(directive));
    while (missing().length > 0)
      await new Promise((resolve) =>
        document.addEventListener('securitypolicyviolation', resolve, { once: true }),
      );
    // The newest of the page's timers, and of its questions to main.
    await new Promise((resolve) => setTimeout(resolve));
    await (page.whiteline as unknown as { readSettings(): Promise<unknown> }).readSettings();
    const permissions = await Promise.allSettled([
      navigator.mediaDevices?.getUserMedia({ audio: true }),
      Notification.requestPermission().then((answer) => {
        if (answer !== 'granted') throw new Error(answer);
      }),
      new Promise((resolve, reject) => navigator.geolocation.getCurrentPosition(resolve, reject)),
    ]);
    return {
      got: Object.keys(page).filter((name) => name.startsWith('was') && page[name] !== false),
      granted: permissions.filter(({ status, ...rest }) => status === 'fulfilled' && 'value' in rest).length,
    };
  }, address);
  await untilAskedFor(whiteline);
  await fetch(`http://${address}/ours`);
  expect(visits).toEqual(['/ours']);
  expect(outcome.got).toEqual([]);
  expect(outcome.granted).toBe(0);
  expect(page.url()).toBe(home);
  expect(app.windows()).toHaveLength(1);
  // Playwright's own questions wait for the navigations that were refused.
  const state = () => document.querySelector('[data-testid="engine-state"]')?.textContent;
  expect(await page.evaluate(state)).toBe('Engine running');
  server.close();
});

test('what a window asks of the shell and the engine is checked first', async ({ whiteline, folder }) => {
  const { app, page } = whiteline;
  const chosen = join(folder, 'chosen.json');
  await app.evaluate(({ dialog, shell }, filePath) => {
    dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath });
    const opened: string[] = [];
    Object.assign(globalThis, { opened });
    shell.openExternal = (link: string) => Promise.resolve(void opened.push(link));
  }, chosen);

  const answers = await page.evaluate(async () => {
    const { whiteline } = window as unknown as { whiteline: AnyBridge };
    const calls: [string, ...unknown[]][] = [
      ['openExternal', 'file:///etc/passwd'],
      ['openExternal', 'https://ndi.video.example.org'],
      ['openExternal', 'https://ndi.video/../x'],
      ['openExternal', ['https://ndi.video']],
      ['openExternal'],
      ['chooseExport', 'exe'],
      ['chooseExport', { kind: 'html', path: '/tmp/x' }],
      ['chooseExport', 'constructor'],
      ['openFile', '/etc/passwd'],
      ['openFile', '0'.repeat(64)],
      ['showFile', '0'.repeat(64)],
      ['openExternal', 'https://ndi.video'],
    ];
    const settled = await Promise.allSettled(calls.map(([name, ...given]) => whiteline[name]?.(...given)));
    return settled.map(({ status }) => status);
  });
  expect(answers).toEqual([...Array(11).fill('rejected'), 'fulfilled']);
  const opened = await app.evaluate(() => (globalThis as unknown as { opened: string[] }).opened);
  expect(opened).toEqual(['https://ndi.video']);

  // A drop that was not made gives no path away.
  const dropped = await page.evaluate(() => {
    const paths: string[] = [];
    const { whiteline } = window as unknown as {
      whiteline: { onFileDropped(listener: (path: string) => void): void };
    };
    whiteline.onFileDropped((path) => paths.push(path));
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(['x'], '/etc/passwd'));
    window.dispatchEvent(new DragEvent('drop', { dataTransfer }));
    return paths;
  });
  expect(dropped).toEqual([]);

  // A window of another program's with our preload script gets neither an answer nor a port.
  const strangers = await app.evaluate(async ({ app, BrowserWindow }, channel) => {
    const preload = `${app.getAppPath()}/dist/app/preload.cjs`;
    // The console's own session loads no page but the console's.
    const webPreferences = { preload, sandbox: true, partition: 'stranger' };
    const window = new BrowserWindow({ show: false, webPreferences });
    await window.loadURL('data:text/html,<p>stranger</p>');
    const said = await window.webContents.executeJavaScript(`(async () => {
        let ports = 0;
        addEventListener('message', ({ data }) => { if (data?.type === '${channel}') ports += 1; });
        whiteline.requestEnginePort();
        const asked = await whiteline.openFolder().then(() => 'answered', () => 'refused');
        // What was sent to this window before comes before these.
        await whiteline.openFolder().catch(() => undefined);
        await new Promise((done) => {
          addEventListener('message', ({ data }) => data === 'last' && done());
          postMessage('last', '*');
        });
        return [asked, ports];
      })()`);
    window.destroy();
    return said;
  }, shellChannels.enginePort);
  expect(strangers).toEqual(['refused', 0]);

  const source = { source: 'white-line', format: '640x360@30', pixelFormat: 'uyvy' } as const;
  expect(await whiteline.command({ name: 'addStream', parameters: source })).toBeNull();
  const outside = join(folder, 'outside');
  const made = '0'.repeat(64);
  const refused = [
    { requestId: 9_000_001, type: 'request' },
    { requestId: 9_000_002, type: 'request', command: { name: '__proto__' } },
    { requestId: 9_000_003, type: 'request', command: { name: 'export', kind: 'json', path: outside } },
    { requestId: 9_000_004, type: 'request', command: { name: 'export', kind: 'json', grant: outside } },
    { requestId: 9_000_005, type: 'request', command: { name: 'export', kind: 'json', grant: made } },
    { requestId: 9_000_006, type: 'request', command: { name: 'savePlan', plan: {}, path: outside } },
    { requestId: 9_000_007, type: 'request', command: { name: 'attachPicture', path: '/etc/passwd' } },
    { requestId: 9_000_008, type: 'request', command: { name: 'attachPicture', grant: made } },
    {
      ...{ requestId: 9_000_009, type: 'request' },
      command: { name: 'addNote', kind: 'note', text: 'x', run: '../outside' },
    },
    {
      ...{ requestId: 9_000_010, type: 'request' },
      command: {
        ...{ name: 'startExperiment', experiment: 'stream-load' },
        ...{ parameters: source, thresholds: '/etc/passwd' },
      },
    },
  ];
  for (const message of refused) {
    const problem = await postToEngine(page, message);
    expect(problem, JSON.stringify(message)).toMatchObject({ code: 'BAD_INPUT' });
    expect(problem?.message, 'no content of a file').not.toContain('root:');
  }
  expect(readdirSync(folder)).not.toContain('outside');

  // A file that was chosen is written once, and for nothing else.
  const grant = await page.evaluate(async () => {
    const { whiteline } = window as unknown as { whiteline: AnyBridge };
    const chosen = (await whiteline.chooseExport?.('json')) as { grant: string } | undefined;
    return chosen?.grant ?? '';
  });
  expect(await whiteline.command({ name: 'attachPicture', grant, text: '' })).toMatchObject({
    code: 'BAD_INPUT',
  });
  expect(existsSync(chosen)).toBe(false);
  expect(await whiteline.command({ name: 'export', kind: 'json', grant })).toBeNull();
  expect(existsSync(chosen)).toBe(true);
  expect(await whiteline.command({ name: 'export', kind: 'json', grant })).toMatchObject({
    code: 'BAD_INPUT',
  });
  await expect(page.getByTestId('engine-state')).toHaveText('Engine running');
});
