import { existsSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';

/** mDNS is answered by avahi-daemon on Linux, which libndi reaches over the system's bus. Other systems: untested. */
export interface DiscoveryDaemon {
  /** False on other systems, whose own service we do not know. */
  isLooked: boolean;
  isRunning: boolean;
  /** Whether the system's bus takes connections from this process. */
  busAnswers: boolean;
}

const pidFile = '/run/avahi-daemon/pid';
const usualBus = '/run/dbus/system_bus_socket';

export async function readDiscoveryDaemon(environment = process.env): Promise<DiscoveryDaemon> {
  if (process.platform !== 'linux') return { isLooked: false, isRunning: false, busAnswers: false };
  const processId = existsSync(pidFile) ? readFileSync(pidFile, 'latin1').trim() : '';
  return {
    isLooked: true,
    isRunning: processId !== '' && existsSync(`/proc/${processId}`),
    busAnswers: await takesConnections(busPath(environment)),
  };
}

/** Of an address such as unix:path=/run/dbus/system_bus_socket;… the first path. */
function busPath({ DBUS_SYSTEM_BUS_ADDRESS: address }: NodeJS.ProcessEnv): string {
  return /unix:path=([^,;]+)/.exec(address ?? '')?.[1] ?? usualBus;
}

function takesConnections(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    const end = (isTaken: boolean): void => {
      socket.destroy();
      resolve(isTaken);
    };
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
  });
}
