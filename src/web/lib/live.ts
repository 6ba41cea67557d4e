import { useEffect, useEffectEvent, useSyncExternalStore } from 'react';
import type { Channel, LiveMessage } from '#contracts/live.ts';
import { LiveConnection } from '#web/lib/live-connection.ts';

/** The one socket of this tab. The shell starts it after sign-in and stops it at sign-out. */
export const live = new LiveConnection();

/** Runs `handler` for every live message while the component is mounted. */
export function useLive(handler: (message: LiveMessage) => void): void {
  const onMessage = useEffectEvent(handler);
  useEffect(() => live.listen((message) => onMessage(message)), []);
}

/** Whether the socket is open now. */
export const useLiveConnected = (): boolean => useSyncExternalStore(live.watch, () => live.connected);

/** Subscribes to a channel, also after a reconnection. Returns the way to stop; use it as the body of an effect. */
export const subscribe = (channel: Channel): (() => void) => live.subscribe(channel);
