import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import type { ServedSettings } from '../../app/protocol/about';
import { ServedRows } from './served-settings';

vi.mock('../engine/connection', () => ({ isInBrowser: true, shell: {} }));

const usual: ServedSettings = {
  ...{ discoveryServers: '', searchHosts: '', ndiGroups: '', networkInterface: '' },
  ...{ thresholds: 'study', runsFolder: '/runs', nmosNode: 'off' },
  ...{ reportProject: '', reportClient: '', reportOperator: '', reportLogo: '', reportPaper: 'a4' },
  ...{ nmosRegistry: '', nmosHost: '', nmosPort: '', nmosReceivers: '' },
};

function valuesIn(served: ServedSettings | null): Record<string, string> {
  const html = renderToStaticMarkup(<ServedRows served={served} />);
  const rows = html.split('data-testid="setting-').slice(1);
  return Object.fromEntries(
    rows.flatMap((row) => {
      const value = /data-testid="served-value">([^<]*)</.exec(row)?.[1];
      return value === undefined ? [] : [[row.slice(0, row.indexOf('"')), value]];
    }),
  );
}

test('each setting of a served console shows what stands, and the flag that changes it', () => {
  const values = valuesIn(usual);
  expect(Object.keys(values).sort()).toEqual(Object.keys(usual).sort());
  expect(values).toMatchObject({
    ...{
      searchHosts: 'none',
      thresholds: 'Study',
      runsFolder: '/runs',
      reportPaper: 'A4',
      reportLogo: 'none',
    },
    ...{
      networkInterface: 'All network cards',
      nmosNode: 'Off',
      nmosHost: '127.0.0.1',
      reportProject: 'none',
    },
  });
  const changed = { ...usual, reportProject: 'Hall 3', nmosNode: 'on', thresholds: '/own.yaml' };
  expect(valuesIn(changed)).toMatchObject({
    reportProject: 'Hall 3',
    nmosNode: 'On',
    thresholds: '/own.yaml',
  });
  const html = renderToStaticMarkup(<ServedRows served={usual} />);
  expect(html).toContain('whiteline serve --client');
  expect(html).not.toContain('Example:');
});

test('before it is read nothing is shown as if it stood', () => {
  expect(valuesIn(null)).toEqual({});
});
