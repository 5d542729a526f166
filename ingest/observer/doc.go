// Package observer reads a running KRaft quorum as an observer would: it fetches the committed part of the metadata log
// from the leader, and asks every controller for its view of epoch, leader and high watermark.
//
// It only reads. It fetches with replica id -1, which the leader neither lists nor counts for its high watermark, never
// votes, and never names an epoch that it has not heard from the controller that it asks.
//
// Sources: KIP-595 (Fetch), KIP-630 (FetchSnapshot), KIP-836 (DescribeQuorum).
package observer
