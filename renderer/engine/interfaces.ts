import { useEffect, useState } from 'react';
import type { InterfaceOffer } from '../../app/protocol/network-interface';
import { command } from './connection';
import { useConsole } from './console-store';

/** The network interfaces of this machine, once they are wanted; for a page that only looks there are none. */
export function useInterfaces(areWanted: boolean): readonly InterfaceOffer[] {
  const [interfaces, setInterfaces] = useState<readonly InterfaceOffer[]>([]);
  // What runs is not disturbed.
  const mayAsk = useConsole(
    ({ right, life, engine }) =>
      right === 'operate' && life.state === 'running' && engine?.mode !== 'experiment',
  );
  const isAsked = areWanted && mayAsk;
  useEffect(() => {
    if (!isAsked) return;
    let isWanted = true;
    void command({ name: 'listInterfaces' }).then(({ result }) => {
      if (isWanted && result) setInterfaces(result);
    });
    return () => {
      isWanted = false;
    };
  }, [isAsked]);
  return interfaces;
}
