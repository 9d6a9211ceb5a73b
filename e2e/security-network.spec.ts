import type { Page } from '@playwright/test';
import { expect, launchConsole, test } from './app';
import { type Listeners, openListeners, tryListeners, untilAskedFor } from './listeners';

/** What a script in the window tries to reach another machine, past the page's policy. */

/** Asks for candidates by way of the listeners, and has a peer checked whose candidates they are. */
async function tryPeers(page: Page, { addresses, tcpPort, udpPort }: Listeners): Promise<string[]> {
  return page.evaluate(
    async ({ hosts, tcpPort, udpPort }) => {
      const frame = document.createElement('iframe');
      document.body.append(frame);
      const inner = frame.contentWindow as (Window & typeof globalThis) | null;
      const servers = hosts.flatMap((host) => [
        { urls: `stun:${host}:${udpPort}` },
        ...[`turn:${host}:${udpPort}?transport=udp`, `turn:${host}:${tcpPort}?transport=tcp`].map((urls) => ({
          ...{ urls, username: 'x', credential: 'x' },
        })),
        { urls: `turns:${host}:${tcpPort}?transport=tcp`, username: 'x', credential: 'x' },
      ]);
      const ends = [window, inner].flatMap((world) => {
        if (!world) return [];
        const [near, far] = [1, 2].map(() => new world.RTCPeerConnection({ iceServers: servers }));
        return near && far ? [{ near, far }] : [];
      });
      const found: string[] = [];
      await Promise.all(
        ends.map(async ({ near, far }) => {
          near.onicecandidate = ({ candidate }) => candidate && found.push(candidate.candidate);
          near.createDataChannel('x');
          await near.setLocalDescription(await near.createOffer());
          await far.setRemoteDescription(near.localDescription as RTCSessionDescription);
          await far.setLocalDescription(await far.createAnswer());
          await near.setRemoteDescription(far.localDescription as RTCSessionDescription);
          for (const host of hosts.filter((each) => each !== 'localhost')) {
            for (const candidate of [
              `candidate:1 1 udp 2122260223 ${host} ${udpPort} typ host`,
              `candidate:2 1 tcp 1518280447 ${host} ${tcpPort} typ host tcptype passive`,
            ])
              await near.addIceCandidate({ candidate, sdpMid: '0', sdpMLineIndex: 0 });
          }
        }),
      );
      const peers = ends.flatMap(({ near, far }) => [near, far]);
      await Promise.all(
        peers.map(
          (peer) =>
            new Promise<void>((resolve) => {
              const look = (): void => {
                if (peer.iceGatheringState === 'complete') resolve();
              };
              peer.addEventListener('icegatheringstatechange', look);
              look();
            }),
        ),
      );
      // By then the candidates of the other side have been checked too.
      for (const peer of peers) await peer.getStats();
      for (const { near, far } of ends) {
        near.close();
        far.close();
      }
      frame.remove();
      return [`${ends.length} pairs`, ...found];
    },
    { hosts: [...addresses, 'localhost'], tcpPort, udpPort },
  );
}

test('WebRTC sends no packet, by UDP, TCP or a proxy, from the page or from a frame in it', async ({
  folder,
}) => {
  const listeners = await openListeners();
  const proxy = `http://127.0.0.1:${listeners.tcpPort}`;
  const environment = { http_proxy: proxy, https_proxy: proxy, all_proxy: proxy };
  const whiteline = await launchConsole(folder, { environment });
  try {
    expect(await tryListeners(listeners)).toBe(2 * listeners.addresses.length);
    const found = await tryPeers(whiteline.page, listeners);
    await untilAskedFor(whiteline);
    expect(await tryListeners(listeners), 'itself alone').toBe(2 * listeners.addresses.length);
    expect(found).toEqual(['2 pairs']);
  } finally {
    await whiteline.app.close();
    listeners.close();
  }
});

/** Links that ask ahead, and whether the page hears how that ended. */
const rels = {
  ...{ 'dns-prefetch': false, preconnect: false, prerender: false },
  ...{ prefetch: true, modulepreload: true, preload: true },
};

test('no link, beacon or socket opens a connection ahead of the policy', async ({ whiteline }) => {
  const listeners = await openListeners();
  try {
    await whiteline.page.evaluate(
      async ({ addresses, tcpPort, rels }) => {
        const over: Promise<unknown>[] = [];
        const ended = (target: EventTarget): Promise<unknown> =>
          new Promise((resolve) => {
            for (const type of ['error', 'load']) target.addEventListener(type, resolve);
          });
        for (const address of [...addresses, 'localhost']) {
          const site = `//${address}:${tcpPort}`;
          for (const scheme of ['http:', 'https:'])
            for (const [rel, isReported] of Object.entries(rels)) {
              const link = document.createElement('link');
              Object.assign(link, { rel, href: `${scheme}${site}/x`, as: 'image' });
              if (isReported) over.push(ended(link));
              document.head.append(link);
            }
          for (const attempt of [
            () => over.push(ended(new WebSocket(`ws:${site}/x`))),
            () => over.push(new WebTransport(`https:${site}/x`).closed.catch(() => undefined)),
            () => navigator.sendBeacon(`http:${site}/x`),
          ]) {
            try {
              attempt();
            } catch {
              // Refused: that nothing comes is counted at the other end.
            }
          }
        }
        await Promise.all(over);
      },
      { addresses: listeners.addresses, tcpPort: listeners.tcpPort, rels },
    );
    await untilAskedFor(whiteline);
    expect(await tryListeners(listeners), 'itself alone').toBe(2 * listeners.addresses.length);
  } finally {
    listeners.close();
  }
});
