import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Command } from '../app/protocol/console-commands';
import { recordRun } from '../app/testing/recorded-run';
import { appFolder, expect, test } from './app';
import { dropOnto } from './drop';
import { openListeners, tryListeners } from './listeners';
import { pageCount, print } from './printed';

/** What a script in the window, or in a report that is printed, tries to reach files of this machine by. */

const picture = join(appFolder, 'docs/images/streams.png');

test('a script in the window gets nothing of files, and saves none', async ({ whiteline, folder }) => {
  const { app, page } = whiteline;
  await test.step('what a window may type as a path gives nothing of the file away', async () => {
    const source = { source: '/etc/passwd', format: '640x360@30', pixelFormat: 'uyvy' } as const;
    const start = (experiment: string, parameters: Record<string, unknown>): Command => ({
      name: 'startExperiment',
      experiment,
      parameters,
    });
    const asked: Command[] = [
      { name: 'addStream', parameters: source },
      { name: 'checkParameters', experiment: 'stream-load', parameters: source },
      ...['/proc', '/dev', '/dev/null', '/sys/kernel'].map((path) => start('storage', { folders: [path] })),
      start('link', { host: '-oProxyCommand=touch /tmp/x' }),
    ];
    for (const command of asked) {
      const problem = await whiteline.command(command);
      expect(problem, JSON.stringify(command)).not.toBeNull();
      expect(problem?.message).not.toContain('root:');
    }
  });

  await test.step('it loads nothing but the built page: no script, no picture, no text beside it', async () => {
    expect(page.url()).toBe('whiteline://console/');
    const script = join(folder, 'module.js');
    writeFileSync(script, 'window.wasRun = true; export const ran = true;');
    const files = [script, picture, '/etc/passwd'].map((file) => pathToFileURL(file).href);
    const inApp = ['package.json', 'docs/images/streams.png', 'dist/app/main.cjs'];
    const around = inApp.flatMap((file) => [
      `whiteline://console/../../${file}`,
      `whiteline://console/..%2f..%2f${file}`,
      `whiteline://console/%2e%2e/%2e%2e/${file}`,
      `whiteline://console/..\\..\\${file}`,
      `whiteline://console//${appFolder}${file}`,
      `whiteline://report/${file}`,
      `whiteline:///${file}`,
    ]);

    const found = await page.evaluate(
      async (addresses) => {
        const inPage = window as unknown as Record<string, unknown>;
        const loads = (element: HTMLElement, address: string): Promise<boolean> =>
          new Promise((resolve) => {
            element.onload = () => resolve(true);
            element.onerror = () => resolve(false);
            element.setAttribute(element instanceof HTMLLinkElement ? 'href' : 'src', address);
            document.head.append(element);
          });
        const picture = async (address: string): Promise<boolean> => {
          const image = new Image();
          return (await loads(image, address)) && image.naturalWidth > 0;
        };
        const style = (address: string): Promise<boolean> =>
          loads(Object.assign(document.createElement('link'), { rel: 'stylesheet' }), address);
        const text = (address: string): Promise<boolean> =>
          new Promise((resolve) => {
            const request = new XMLHttpRequest();
            request.onload = () => resolve(true);
            request.onerror = () => resolve(false);
            try {
              request.open('GET', address);
              request.send();
            } catch {
              resolve(false);
            }
          });
        const ways: Record<string, (address: string) => Promise<boolean>> = {
          import: (address) =>
            import(address).then(
              () => true,
              () => false,
            ),
          picture,
          style,
          fetch: (address) =>
            fetch(address).then(
              () => true,
              () => false,
            ),
          text,
        };
        const reached: string[] = [];
        for (const address of addresses)
          for (const [way, tries] of Object.entries(ways))
            if (await tries(address)) reached.push(`${way} ${address}`);
        const own = document.querySelector('script')?.getAttribute('src') ?? '';
        const sheet = document.querySelector('link[rel=stylesheet]')?.getAttribute('href') ?? '';
        return {
          reached,
          // That something is reached in these ways.
          own: [await ways.import?.(new URL(own, location.href).href), await style(sheet)],
          wasRun: inPage.wasRun === true,
        };
      },
      [...files, ...around],
    );
    expect(found).toEqual({ reached: [], own: [true, true], wasRun: false });
  });

  await test.step('it saves nothing', async () => {
    await app.evaluate(({ session }) => {
      const prevented: boolean[] = [];
      Object.assign(globalThis, { prevented });
      session.defaultSession.on('will-download', ({ defaultPrevented }) => prevented.push(defaultPrevented));
    });
    await page.evaluate(() => {
      for (const href of [URL.createObjectURL(new Blob(['x'])), 'data:text/plain,x']) {
        const link = Object.assign(document.createElement('a'), { href, download: 'x.txt' });
        document.body.append(link);
        link.click();
      }
    });
    const prevented = () => app.evaluate(() => (globalThis as unknown as { prevented: boolean[] }).prevented);
    await expect.poll(prevented).not.toEqual([]);
    expect(await prevented()).not.toContain(false);
  });

  await test.step('it changes nothing in what a drop gives', async () => {
    const dropped = recordRun(join(folder, 'stick', 'dropped'));
    const heard = await page.evaluateHandle(() => {
      const { whiteline } = window as unknown as {
        whiteline: { onFileDropped(listener: (path: string, folder: unknown) => void): void };
      };
      const paths: string[] = [];
      whiteline.onFileDropped((path, folder) => paths.push(`${path} ${folder === null ? 'file' : 'folder'}`));

      // All that a drop is read by, in the page's own world.
      const forged = new DataTransfer();
      forged.items.add(new File(['x'], '/etc'));
      const forge = (prototype: object, name: string, value: unknown): void => {
        Object.defineProperty(prototype, name, { configurable: true, get: () => value });
      };
      forge(DragEvent.prototype, 'dataTransfer', forged);
      forge(DataTransfer.prototype, 'files', [{ path: '/etc' }]);
      forge(File.prototype, 'path', '/etc');
      forge(Event.prototype, 'isTrusted', true);
      window.dispatchEvent(new DragEvent('drop', { dataTransfer: forged }));
      // A drop that happened, once more with something else in it.
      window.addEventListener(
        'drop',
        (event) => {
          event.dataTransfer?.items.add(new File(['x'], '/etc'));
          setTimeout(() => document.body.dispatchEvent(event));
        },
        { capture: true, once: true },
      );
      return paths;
    });
    await dropOnto(page, dropped);
    await expect.poll(() => heard.jsonValue()).toEqual([`${dropped} folder`]);

    // And nothing else of the bridge takes a path.
    const bridge = await page.evaluate(() => {
      const frame = document.createElement('iframe');
      document.body.append(frame);
      const inFrame = (frame.contentWindow as unknown as { whiteline?: unknown }).whiteline;
      return {
        calls: Object.keys((window as unknown as { whiteline: object }).whiteline),
        inFrame: inFrame === undefined,
      };
    });
    expect(bridge.calls.filter((name) => /grant|path|read|write|file/i.test(name)).sort()).toEqual([
      'chooseJoinFile',
      'choosePlanFile',
      'onFileDropped',
      // By the word for a file that was written.
      'openFile',
      'readAbout',
      'readSettings',
      'showFile',
    ]);
    expect(bridge.inFrame).toBe(true);
  });
});

test('a report that is printed reaches neither files nor a network, and has what is in it', async ({
  folder,
}) => {
  const listeners = await openListeners();
  try {
    expect(await tryListeners(listeners)).toBe(2 * listeners.addresses.length);
    const own = join(folder, 'page');
    mkdirSync(own);
    copyFileSync(picture, join(own, 'beside.png'));
    const site = `http://${listeners.addresses.at(-1)}:${listeners.tcpPort}`;
    const inPage = `data:image/png;base64,${readFileSync(picture).toString('base64')}`;
    // Each picture that loads adds a page.
    const pictures = [inPage, pathToFileURL(picture).href, 'beside.png', `${site}/x.png`];
    const server = {
      urls: `turn:127.0.0.1:${listeners.tcpPort}?transport=tcp`,
      username: 'x',
      credential: 'x',
    };
    writeFileSync(
      join(own, 'page.html'),
      `<p>one</p>${pictures
        .map(
          (source) =>
            `<img src="${source}" style="break-before: page; display: none" onload="this.style.display = 'block'">`,
        )
        .join('')}
      <script>
        fetch('${site}/fetch').catch(() => undefined);
        fetch('${pathToFileURL(picture).href}').then(() => document.body.append(document.images[0].cloneNode()));
        const peer = new RTCPeerConnection({ iceServers: [${JSON.stringify(server)}] });
        peer.createDataChannel('x');
        peer.createOffer().then((offer) => peer.setLocalDescription(offer));
      </script>`,
    );
    const pdf = join(folder, 'page.pdf');
    expect((await print(join(own, 'page.html'), pdf, folder)).exit).toEqual([0, null]);
    expect(existsSync(pdf)).toBe(true);
    expect(pageCount(readFileSync(pdf))).toBe(2);
    expect(listeners.heard).toEqual([]);
  } finally {
    listeners.close();
  }
});

test('a report that cannot be drawn is not printed, and the error says why', async ({ folder }) => {
  const whole = readFileSync(join(appFolder, 'dist/report/index.html'), 'utf8');
  const broken = whole.replace('id="whiteline-run">{}<', 'id="whiteline-run">{"run":{"title":"x"}}<');
  expect(broken).not.toBe(whole);
  const [html, pdf] = [join(folder, 'broken.html'), join(folder, 'broken.pdf')];
  writeFileSync(html, broken);
  const { exit, errors } = await print(html, pdf, folder);
  expect(exit).toEqual([1, null]);
  expect(errors).toMatch(/Whiteline could not draw this report: TypeError/);
  expect(existsSync(pdf)).toBe(false);
});
