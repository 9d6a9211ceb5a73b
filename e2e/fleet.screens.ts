import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import type { InvitedAgent } from '../app/fleet/site/agents';
import type { AgentPresence } from '../app/protocol/fleet/presence';
import { inviteMadeUp, siteOf, speakAsMadeUp } from '../app/testing/made-up-agents';
import { preflightRow } from '../app/testing/preflight-row';
import { recordRun } from '../app/testing/recorded-run';
import { type Console, expect, test } from './app';
import { inviteBeside, startAgentBeside, startServerBeside } from './fleet-beside';
import { shootAll } from './pictures';

/** Pictures of the screen *Fleet*: test-results/e2e/screens. */

function fleetOf({ runsFolder }: Console): string {
  return join(runsFolder, '..', 'user-data', 'fleet');
}

function machines(page: Page): Locator {
  return page.getByTestId('fleet-machine');
}

const connected = '[data-state="connected"]';

test('the fleet: none, no machine invited, machines, one that is gone', async ({ whiteline }) => {
  const { page } = whiteline;
  const fleet = fleetOf(whiteline);
  await page.keyboard.press('5');
  await expect(page.getByTestId('fleet-server')).toHaveAttribute('data-server', 'none');
  await shootAll(whiteline, 'fleet-none');
  const server = await startServerBeside(fleet);
  try {
    await expect(page.getByTestId('fleet-server')).toHaveAttribute('data-server', 'connected');
    await shootAll(whiteline, 'fleet-empty');
    const files = ['render-1', 'render-2', 'display-1', 'display-2'].map((name) => inviteBeside(fleet, name));
    const agents = await Promise.all(files.slice(0, 3).map((file) => startAgentBeside(file)));
    try {
      const lines = machines(page);
      await expect(lines.and(page.locator(connected))).toHaveCount(3);
      await lines.filter({ hasText: 'render-1' }).click();
      await page.getByTestId('give-sendOn').click();
      await page.waitForTimeout(6000);
      agents[1]?.stop();
      await expect(lines.and(page.locator('[data-state="silent"]'))).toHaveCount(1);
      await shootAll(whiteline, 'fleet');
      await lines.filter({ hasText: 'render-2' }).click();
      await shootAll(whiteline, 'fleet-gone');
    } finally {
      for (const agent of agents) agent.stop();
    }
  } finally {
    server.stop();
  }
});

/** As in a large site: names, boards and loads differ, some have another version, some are gone. */
const site = {
  names: (count: number) =>
    Array.from({ length: count }, (_, index) =>
      index % 3 === 2 ? `display-wall-north-${index + 1}` : `render-${index + 1}`,
    ),
  vary(said: AgentPresence, number: number): AgentPresence {
    const { load, machine } = said;
    const second = performance.now() / 1000;
    const wave = (top: number): number => (top * (1 + Math.sin(second / 5 + number))) / 2;
    const streams = number % 4 === 0 ? 16 : number % 7;
    return {
      ...said,
      version: number % 23 === 5 ? '0.0.9' : said.version,
      holder: number % 4 === 0 ? 'control-room-2.example.net, process 41532' : null,
      senders: number % 3 === 2 ? 0 : streams,
      receivers: number % 3 === 2 ? streams : 0,
      machine: { ...machine, board: 'ProArt X670E-CREATOR WIFI', gpus: ['NVIDIA RTX 6000 Ada Generation'] },
      load: load && {
        ...load,
        cpuPercent: wave(100),
        gpuPercent: number % 9 === 0 ? null : wave(100),
        wireReceiveMbps: wave(9800),
        wireTransmitMbps: wave(240),
      },
    };
  },
};

/** Of most machines, and of this one. */
function recordPreflights(runsFolder: string, agents: readonly InvitedAgent[]): void {
  const states = ['ok', 'ok', 'warning', 'problem', 'unknown'] as const;
  const rows = agents.flatMap(({ name }, number) => {
    const state = states[number % 6];
    return state === undefined ? [] : [preflightRow('mtu', state, name)];
  });
  recordRun(join(runsFolder, 'preflight'), {
    ...{ experiment: 'preflight', host: hostname(), machines: agents },
    rows: [preflightRow('speed', 'ok'), ...rows].map((row, index) => ({ ...row, index })),
  });
}

for (const count of [1, 5, 100])
  test(`a fleet of ${count}`, async ({ whiteline }) => {
    const { page, runsFolder } = whiteline;
    const fleet = fleetOf(whiteline);
    const server = await startServerBeside(fleet);
    inviteMadeUp(siteOf(fleet), site.names(count - 1));
    const agents: InvitedAgent[] = siteOf(fleet).agents.all();
    // The server takes all of them over with this one.
    const real = await startAgentBeside(inviteBeside(fleet, 'studio-1'));
    try {
      const stop = await speakAsMadeUp({ folder: fleet, agents, perSecond: 2, vary: site.vary });
      try {
        recordPreflights(runsFolder, agents);
        await page.keyboard.press('5');
        await expect(machines(page).and(page.locator(connected)).first()).toBeVisible();
        await shootAll(whiteline, `fleet-of-${count}-unchosen`);
        await machines(page).first().click();
        await page.waitForTimeout(6000);
        await shootAll(whiteline, `fleet-of-${count}`);
      } finally {
        stop();
      }
    } finally {
      real.stop();
      server.stop();
    }
  });
