"""M/M/10 in Cimba: a store of arrival times and ten server processes. Cimba reads the annotations of this module."""

import cimba as cb


class Queue(cb.Model):
    gap: cb.Input[float]
    work: cb.Input[float]
    queue: cb.Store[float]
    done: float = 0.0
    total: float = 0.0
    mean: cb.Output[float]
    jobs: cb.Output[float]

    @cb.process
    def arrivals(self):
        while True:
            cb.hold(self.gap.next())
            self.queue.put(cb.now())

    @cb.process(copies=10)
    def server(self):
        while True:
            born = self.queue.get()
            cb.hold(self.work.next())
            self.total += cb.now() - born
            self.done += 1.0

    @cb.on_end
    def measure(self):
        self.mean = self.total / self.done
        self.jobs = self.done
