import type { ReactNode } from 'react';
import { AboutScreen } from '../about/about-screen';
import type { ChartBoard } from '../charts/chart-board';
import { isInBrowser } from '../engine/connection';
import { ExperimentsScreen } from '../experiments/experiments-screen';
import { FleetScreen } from '../fleet/fleet-screen';
import { NmosScreen } from '../nmos/nmos-screen';
import { PreflightScreen } from '../preflight/preflight-screen';
import { SessionsScreen } from '../sessions/sessions-screen';
import { ServedSettings } from '../settings/served-settings';
import { SettingsScreen } from '../settings/settings-screen';
import { StreamsScreen } from '../streams/streams-screen';
import type { ScreenId } from './shown-screen';

export interface Screen {
  id: ScreenId;
  /** A path in a box of 24 × 24, drawn with a line. */
  icon: string;
  render(board: ChartBoard): ReactNode;
}

/** In the order of the rail; the first one has the key 1. */
export const screens: readonly Screen[] = [
  {
    id: 'streams',
    icon: 'M3 6h18v12H3zM14 6v12',
    render: (board) => <StreamsScreen board={board} />,
  },
  {
    id: 'experiments',
    icon: 'M9 3h6M10 3v6l-5 9a2 2 0 0 0 2 3h10a2 2 0 0 0 2-3l-5-9V3M7.5 15h9',
    render: (board) => <ExperimentsScreen board={board} />,
  },
  {
    id: 'sessions',
    icon: 'M4 12a8 8 0 1 0 2.5-5.8L4 8.5M4 4v4.5h4.5M12 7.5V12l3.5 2',
    render: () => <SessionsScreen />,
  },
  {
    id: 'preflight',
    icon: 'M9 6h11M9 12h11M9 18h11M3.5 6l1 1 2-2.2M3.5 12l1 1 2-2.2M3.5 18l1 1 2-2.2',
    render: () => <PreflightScreen />,
  },
  {
    id: 'fleet',
    icon: 'M9 3h6v5H9zM3 16h6v5H3zM15 16h6v5h-6zM12 8v4M6 16v-4h12v4',
    render: () => <FleetScreen />,
  },
  {
    id: 'nmos',
    icon: 'M4 4h16v16H4zM4 9.3h16M4 14.7h16M9.3 4v16M14.7 4v16M10.8 10.8h2.4v2.4h-2.4z',
    render: () => <NmosScreen />,
  },
  {
    id: 'settings',
    icon: 'M4 7h9M19 7h1M4 17h1M11 17h9M13 7a3 3 0 1 0 6 0a3 3 0 1 0-6 0M5 17a3 3 0 1 0 6 0a3 3 0 1 0-6 0',
    render: () => (isInBrowser ? <ServedSettings /> : <SettingsScreen />),
  },
  {
    id: 'about',
    icon: 'M12 3a9 9 0 1 0 0 18a9 9 0 0 0 0-18M12 11v6M12 7.5v.2',
    render: () => <AboutScreen />,
  },
];
