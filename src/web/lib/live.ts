import { useEffect, useEffectEvent, useSyncExternalStore } from 'react';
import { LiveConnection } from './live-connection.ts';
import type { ReceivedMessage } from './live-message.ts';

/** The socket of this tab. The shell starts it after sign-in and stops it at sign-out. */
export const live = new LiveConnection();

/** Runs `handler` for every live message while the component is mounted. */
export function useLive(handler: (message: ReceivedMessage) => void): void {
  const onMessage = useEffectEvent(handler);
  useEffect(() => live.listen((message) => onMessage(message)), []);
}

/** True while the socket is open. */
export const useLiveConnected = (): boolean => useSyncExternalStore(live.watch, () => live.connected);
