import { expect, test } from 'vitest';
import { noReportHeader } from '../protocol/report-header';
import { servedSettings } from './served-settings';

const noNetwork = { discoveryServers: [], groups: [], addresses: [] };
const usual = { runsFolder: '/runs', searchHosts: [], nmosNode: null, header: noReportHeader };

test('what is not set is empty, but for what always stands', () => {
  const { runsFolder, thresholds, nmosNode, reportPaper, ...others } = servedSettings(usual, noNetwork);
  expect([runsFolder, thresholds, nmosNode, reportPaper]).toEqual(['/runs', 'study', 'off', 'a4']);
  expect(new Set(Object.values(others))).toEqual(new Set(['']));
});

test('what is set stands there, lists with commas', () => {
  const nmosNode = { registry: 'http://192.0.2.9:8010', host: '192.0.2.7', port: 0, receivers: 8 };
  const header = {
    project: 'Hall 3',
    operator: 'Ada',
    client: 'ACME',
    logo: '/logo.png',
    paper: 'letter' as const,
  };
  const network = { discoveryServers: ['192.0.2.5'], groups: ['stage', 'public'], addresses: ['192.0.2.7'] };
  const serving = { runsFolder: '/runs', searchHosts: ['192.0.2.7', '192.0.2.8'], thresholds: 'flawless' };
  expect(servedSettings({ ...serving, nmosNode, header }, network)).toEqual({
    ...{ discoveryServers: '192.0.2.5', searchHosts: '192.0.2.7, 192.0.2.8', ndiGroups: 'stage, public' },
    ...{ networkInterface: '192.0.2.7', thresholds: 'flawless', runsFolder: '/runs' },
    ...{ reportProject: 'Hall 3', reportClient: 'ACME', reportOperator: 'Ada' },
    ...{ reportLogo: '/logo.png', reportPaper: 'letter' },
    ...{ nmosNode: 'on', nmosRegistry: 'http://192.0.2.9:8010', nmosHost: '192.0.2.7' },
    ...{ nmosPort: '0', nmosReceivers: '8' },
  });
});
