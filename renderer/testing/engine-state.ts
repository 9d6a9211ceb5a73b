import type { EngineState, StreamView } from '../../app/protocol/console';

interface Given {
  streams?: StreamView[];
  state?: Partial<EngineState>;
}

export function stateOf({ streams = [], state }: Given): EngineState {
  return {
    mode: 'idle',
    cleanTime: null,
    transport: { name: 'ndi', version: '6.3.1.0', path: '/usr/lib/x86_64-linux-gnu/libndi.so.6' },
    transportLoading: false,
    receivingHost: streams.length > 0 ? 1 : 0,
    sendingHost: streams.length > 0 ? 1 : 0,
    machine: { hostName: 'rack-04', cpuModel: 'AMD Ryzen 9 7950X', cores: 32 },
    source: null,
    streams,
    adding: null,
    run: null,
    progress: null,
    making: null,
    thresholdProfile: 'study',
    nmosNode: { is: 'off' },
    consoleSession: 'Console, 2026-11-24 08:00 UTC',
    alerts: [],
    ...state,
  };
}
