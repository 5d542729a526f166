package kraftmetadata

import (
	"bytes"
	"slices"

	"github.com/tidwall/gjson"

	"github.com/tracecheck/tracecheck/adapters"
	"github.com/tracecheck/tracecheck/spec/kraft"
	"github.com/tracecheck/tracecheck/spec/metadata"
)

// recordTypes are the names of the types in the JSON of Kafka's tools. Of the others see asides.
var recordTypes = map[string]metadata.Type{
	"REGISTER_BROKER_RECORD": metadata.RegisterBroker, "UNREGISTER_BROKER_RECORD": metadata.UnregisterBroker,
	"TOPIC_RECORD": metadata.Topic, "PARTITION_RECORD": metadata.Partition, "PARTITION_CHANGE_RECORD": metadata.PartitionChange,
	"FENCE_BROKER_RECORD": metadata.FenceBroker, "UNFENCE_BROKER_RECORD": metadata.UnfenceBroker,
	"REMOVE_TOPIC_RECORD": metadata.RemoveTopic, "PRODUCER_IDS_RECORD": metadata.ProducerIDs,
	"BROKER_REGISTRATION_CHANGE_RECORD": metadata.BrokerRegistrationChange,
	"BEGIN_TRANSACTION_RECORD":          metadata.BeginTransaction, "END_TRANSACTION_RECORD": metadata.EndTransaction,
	"ABORT_TRANSACTION_RECORD": metadata.AbortTransaction, "CLEAR_ELR_RECORD": metadata.ClearElr,
}

// asides are the types that change nothing that is looked at. What is neither here nor above came later, and may.
var asides = []string{
	"CONFIG_RECORD", "ACCESS_CONTROL_RECORD", "DELEGATION_TOKEN_RECORD", "USER_SCRAM_CREDENTIAL_RECORD", "FEATURE_LEVEL_RECORD",
	"CLIENT_QUOTA_RECORD", "ACCESS_CONTROL_ENTRY_RECORD", "REMOVE_ACCESS_CONTROL_ENTRY_RECORD", "NO_OP_RECORD",
	"ZK_MIGRATION_STATE_RECORD", "REMOVE_USER_SCRAM_CREDENTIAL_RECORD", "REMOVE_DELEGATION_TOKEN_RECORD",
	"REGISTER_CONTROLLER_RECORD", "UNREGISTER_CONTROLLER_RECORD",
}

var payloadKey = []byte(" payload: ")

// payload reads the record of a line, where a tool has decoded it.
func (d *decoder) payload(rest []byte, kind kraft.Kind) adapters.Outcome {
	i := bytes.Index(rest, payloadKey)
	r := &d.own.Record
	switch {
	case bytes.HasSuffix(rest, []byte(" cannot be read")):
		r.Reset()
		r.Type, d.own.Kind = metadata.Unreadable, kind
		r.Offset, _ = value(rest, "offset: ")
		return adapters.Outcome{}
	case bytes.HasSuffix(rest, []byte(" is not known")):
		r.Reset()
		r.Type, d.own.Kind = metadata.NotKnown, kind
		return adapters.Outcome{}
	case i < 0:
		if bytes.HasPrefix(rest, payloadKey[1:]) { // kafka-dump-log --skip-record-metadata
			i = -1
		} else {
			return ignored("a control record, or one that is not decoded")
		}
	}
	text := bytes.TrimSpace(rest[i+len(payloadKey):])
	if !adapters.ValidJSON(text) {
		return damaged("a metadata record cannot be read")
	}
	all := gjson.ParseBytes(text)
	name := all.Get("type").String()
	t, looked := recordTypes[name]
	if !looked && slices.Contains(asides, name) {
		return ignored("a metadata record of another type")
	}
	if !looked {
		t = metadata.NotKnown
	}
	r.Reset()
	r.Type = t
	if r.Offset, looked = value(rest, "offset: "); !looked {
		r.Offset = d.end
	}
	if t != metadata.NotKnown && !fields(r, all.Get("data")) {
		return damaged("a metadata record cannot be read")
	}
	d.own.Kind = kind
	return adapters.Outcome{}
}

// snapshotRecord reads the line of a record in a snapshot.
func (d *decoder) snapshotRecord(rest []byte) adapters.Outcome {
	r := &d.own.Record
	switch {
	case bytes.Contains(rest, []byte(" SnapshotHeader")), bytes.Contains(rest, []byte("SNAPSHOT_HEADER")):
		r.Reset()
		r.Type, d.own.Kind = metadata.SnapshotHeader, kraft.SnapshotRecordHeld
		return adapters.Outcome{}
	case bytes.Contains(rest, []byte(" SnapshotFooter")), bytes.Contains(rest, []byte("SNAPSHOT_FOOTER")):
		r.Reset()
		r.Type, d.own.Kind = metadata.SnapshotFooter, kraft.SnapshotRecordHeld
		return adapters.Outcome{}
	}
	return d.payload(rest, kraft.SnapshotRecordHeld)
}

// fields reads what is looked at of a record's data. false: it has something else in its place.
func fields(r *metadata.Record, data gjson.Result) (ok bool) {
	ok = data.IsObject()
	data.ForEach(func(key, v gjson.Result) bool {
		switch key.Str {
		case "brokerId", "id":
			r.Broker = int32(v.Int())
		case "brokerEpoch", "epoch":
			r.BrokerEpoch = v.Int()
		case "incarnationId":
			r.Incarnation, ok = metadata.ParseUUID(v.Str)
		case "topicId":
			r.Topic, ok = metadata.ParseUUID(v.Str)
		case "name", "topicName":
			r.Name = v.String()
		case "partitionId":
			r.Partition = int32(v.Int())
		case "leader":
			r.Leader = int32(v.Int())
		case "leaderEpoch":
			r.LeaderEpoch = int32(v.Int())
		case "partitionEpoch":
			r.PartitionEpoch = int32(v.Int())
		case "replicas":
			ok = list(&r.Replicas, v)
		case "isr":
			ok = list(&r.Isr, v)
		case "addingReplicas":
			ok = list(&r.Adding, v)
		case "lastKnownElr":
			ok = list(&r.LastKnownElr, v)
		case "eligibleLeaderReplicas":
			ok = list(&r.Elr, v)
		case "nextProducerId":
			r.NextProducerID = v.Int()
		}
		return ok
	})
	return ok
}

func list(ids *metadata.Ids, v gjson.Result) bool {
	if v.Type == gjson.Null {
		return true
	}
	ids.Told = true
	v.ForEach(func(_, id gjson.Result) bool {
		ids.List = append(ids.List, int32(id.Int()))
		return true
	})
	return v.IsArray()
}
