import { renderToStaticMarkup } from 'react-dom/server';
import { beforeEach, expect, test } from 'vitest';
import type { About } from '../../app/protocol/about';
import { stubWindow } from '../../app/testing/window';
import { stateOf } from '../testing/engine-state';
import { texts } from '../texts';

const known: About = {
  versions: { whiteline: '0.1.0', electron: '45.4.1', chrome: '152.0.7870.31', node: '24.14.0' },
  notices: [
    { id: 'licence', text: 'Apache License\nVersion 2.0, January 2004' },
    { id: 'notice', text: 'Whiteline\nLicensed under the Apache License, Version 2.0; see LICENSE.' },
    { id: 'libraries', text: null },
    { id: 'ndi', text: 'NDI® libraries' },
  ],
};
let about: About;

beforeEach(() => {
  about = known;
});

async function shown(whiteline?: object): Promise<string> {
  stubWindow(whiteline);
  const { AboutText } = await import('./about-screen');
  const { useConsole } = await import('../engine/console-store');
  // Without a document, React renders the first state only.
  useConsole.getInitialState().engine = stateOf({});
  return renderToStaticMarkup(<AboutText about={about} />);
}

const versionsIn = (markup: string) =>
  [...markup.matchAll(/<dt>([^<]*)<\/dt><dd>([^<]*)</g)].map(([, name, version]) => [name, version]);

test('in Electron all versions that run are there, the runtime by version and path, and the folder of runs', async () => {
  const markup = await shown({});
  const { names } = texts.about;
  expect(versionsIn(markup)).toEqual([
    ...[
      [names.whiteline, '0.1.0'],
      [names.electron, '45.4.1'],
    ],
    ...[
      [names.chrome, '152.0.7870.31'],
      [names.node, '24.14.0'],
    ],
  ]);
  expect(markup).toContain(
    texts.about.runtime(texts.ndi.version('6.3.1.0'), '/usr/lib/x86_64-linux-gnu/libndi.so.6'),
  );
  expect(markup).toContain(texts.actions.openFolder);
});

test('in a browser there is no Electron, and no folder to open', async () => {
  about = { ...about, versions: { whiteline: '0.1.0', node: '24.14.0' } };
  const markup = await shown();
  expect(versionsIn(markup).map(([, version]) => version)).toEqual(['0.1.0', '24.14.0']);
  expect(markup).not.toContain(texts.actions.openFolder);
});

test('the notices are shown first; one that is not there says what to do', async () => {
  expect(await shown({})).toContain('Licensed under the Apache License, Version 2.0; see LICENSE.');
  about = { ...about, notices: [{ id: 'notice', text: null }] };
  expect(await shown({})).toContain(`${texts.about.missing} ${texts.about.missingRemedy.notice}`);
});
